// The drawings of the buttons: paths in a square of 16 by 16, drawn as lines.
export const ICONS = {
  run: 'M5 3.2v9.6L12.8 8z',
  stop: 'M4 4h8v8H4z',
  plus: 'M8 3v10M3 8h10',
  minus: 'M3 8h10',
  close: 'M4 4l8 8M12 4l-8 8',
  sun:
    'M8 5.2a2.8 2.8 0 100 5.6 2.8 2.8 0 000-5.6zM8 1v1.6M8 13.4V15M1 8h1.6M13.4 8H15M3 3l1.2 1.2' +
    'M11.8 11.8L13 13M13 3l-1.2 1.2M4.2 11.8L3 13',
  moon: 'M13 9.6A5.4 5.4 0 016.4 3 5.4 5.4 0 1013 9.6z',
  auto: 'M8 2.2a5.8 5.8 0 100 11.6V2.2zM8 2.2a5.8 5.8 0 010 11.6',
  help: 'M5.8 6a2.2 2.2 0 114 1.2C9 8.2 8 8.4 8 9.6M8 12v.2',
  undo: 'M3 7h6.5a3.2 3.2 0 010 6.4H6M3 7l3-3M3 7l3 3',
  fit: 'M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4',
  save: 'M3 3h8l2 2v8H3zM5.5 3v3.5h4.5V3M5.5 13V9.5h5V13',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  download: 'M8 2.5v7.5M4.8 7L8 10.2 11.2 7M3 13h10',
  pin: 'M8 9.5V14M4.5 9.5h7L10 7V3h.6M10 3H5.4M6 3v4L4.5 9.5',
  search: 'M7 3a4 4 0 100 8 4 4 0 000-8zM10 10l3.4 3.4',
  chevron: 'M6 4l4 4-4 4',
  phase: 'M2 8h12M8 2v12M3.6 8a4.4 2.8 0 108.8 0 4.4 2.8 0 10-8.8 0',
  file: 'M4 2h5l3 3v9H4zM9 2v3h3',
};
