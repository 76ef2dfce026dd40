// Files that esbuild includes beside scripts: models as text, and styles.
declare module '*.mo' {
  const text: string;
  export default text;
}
declare module '*.css';
