import { english } from '../words.ts';

/** The mask editor. */
export const mask = {
  title: 'Mask',
  canvas: 'Image to paint on',
  canvasHelp:
    'Paint what may change. Without a pointer, use “Add a region” or upload a mask. Arrow keys move the image.',
  tools: {
    label: 'Tool',
    brush: 'Brush',
    eraser: 'Eraser',
    rectangle: 'Rectangle',
    pan: 'Pan',
  },
  rectangleHelp: 'Drag, or click two corners.',
  size: 'Size',
  undo: 'Undo',
  redo: 'Redo',
  invert: 'Invert',
  clear: 'Clear',
  fit: 'Fit',
  full: 'Show at 100%',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  percent: (share: number) => `${english.number(Math.round(share * 100))}%`,
  zoom: (percent: string) => `Zoom ${percent}`,
  overlay: 'Overlay',
  original: 'Show original',

  region: {
    title: 'Add a region',
    x: 'Left',
    y: 'Top',
    width: 'Width',
    height: 'Height',
    unit: 'Unit',
    add: 'Add region',
    remove: 'Take region away',
    added: 'Region added.',
    removed: 'Region taken away.',
    errors: {
      number: 'Enter a number.',
      empty: 'Must be above 0.',
      outside: 'Lies outside the image.',
    },
  },

  upload: {
    title: 'Upload a mask',
    help: 'Transparent parts may change; in an image without transparency, light parts.',
    button: 'Choose a file',
    noImage: 'The file is not an image that this browser can read.',
    tooLarge: 'The file is larger than 20 MB.',
    empty: 'Nothing in this file says what may change.',
  },

  coverage: (share: number) => `${coveragePercent(share)} will change`,
  covered: {
    none: 'Paint something first. Nothing would change.',
    all: 'The whole image will change. To keep a part of it, erase there.',
  },
  guides: 'The mask guides the model. Other areas can still change.',
  keepOutside: 'Keep pixels outside the mask',
  keepOutsideHelp:
    'This browser puts them back from the original, when the result has its shape. Both versions are kept.',
  feather: 'Feather',

  cancel: 'Cancel',
  save: 'Save mask',
  saveFailed: 'The mask could not be made. Try again.',
  discard: {
    title: 'Discard the changes?',
    text: 'What you have changed since the mask was last saved will be lost.',
    confirm: 'Discard changes',
  },
};

/** What is little is not shown as nothing, and what is nearly all not as all. */
function coveragePercent(share: number): string {
  const percent = share * 100;
  if (percent > 0 && percent < 0.1) return 'Under 0.1%';
  if (percent < 100 && percent > 99.9) return 'Over 99.9%';
  return `${english.number(percent < 10 ? Math.round(percent * 10) / 10 : Math.round(percent))}%`;
}
