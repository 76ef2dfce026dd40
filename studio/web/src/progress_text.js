// How long a run will still take, in words.

/** @param {{eta?: number|null, rate?: number|null}} progress seconds to go */
export function eta({ eta: seconds }) {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return '';
  if (seconds < 1) return 'about a second to go';
  if (seconds < 90) return `${Math.round(seconds)} s to go`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min to go`;
  return `${(seconds / 3600).toFixed(1)} h to go`;
}
