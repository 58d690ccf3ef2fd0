import { english } from '../words.ts';

const images = (count: number) =>
  english.plural(count, { one: '1 image', other: `${english.number(count)} images` });

/** The pictures that this browser keeps. */
export const gallery = {
  title: 'Gallery',
  images,
  imagesAndBytes: (count: number, bytes: string) => `${images(count)}, ${bytes}`,
  matching: (count: number) =>
    english.plural(count, {
      one: '1 image matches',
      other: `${english.number(count)} images match`,
    }),
  onlyHere: 'Only in this browser.',
  onlyThisVisit: 'Only until this page is closed or reloaded.',

  search: 'Search prompts',
  searchHint: 'Words of the prompt',
  model: 'Model',
  kind: 'Kind',
  kinds: { generation: 'Generation', edit: 'Edit' },
  onlyStarred: 'Starred only',
  moreFilters: 'More filters',
  sort: 'Sort',
  sorts: { newest: 'Newest first', oldest: 'Oldest first' },
  filterOf: (name: string, value: string) => `${name}: ${value}`,

  empty: 'Images that you make in the playground are kept here, in this browser only.',
  emptyGenerate: 'Open playground',
  emptyImport: 'Import an export',
  nothing: 'No images match.',
  clearFilters: 'Clear filters',
  showMore: 'Show more',
  failed: 'The gallery could not be read.',
  failedText:
    'The browser does not let this page store anything, perhaps because the window is private. Images can still be made and downloaded.',

  grid: 'Images',
  open: (prompt: string) => `Open: ${prompt}`,
  select: (prompt: string) => `Select: ${prompt}`,
  isStarred: 'Starred',
  composited: 'Composited',
  noPrompt: 'Without a prompt',

  selected: (count: number) =>
    english.plural(count, { one: '1 selected', other: `${english.number(count)} selected` }),
  selectAll: (count: number) => `Select all ${english.number(count)}`,
  clearSelection: 'Clear selection',
  downloadZip: 'Download ZIP',
  star: 'Star',
  unstar: 'Remove star',
  delete: 'Delete',
  deleted: (count: number) =>
    english.plural(count, {
      one: 'Image deleted',
      other: `${english.number(count)} images deleted`,
    }),
  undo: 'Undo',

  storage: 'Storage',
  storageTitle: 'Images in this browser',
  used: (used: string, cap: string) => `${used} of ${cap}`,
  meter: (percent: string) => `${percent} of the limit used`,
  copyWarning: 'This browser has the only copy. The service keeps no images.',
  neverExported: 'Never exported.',
  lastExported: (date: string) => `Last exported ${date}.`,
  protection: {
    yes: 'Protected from automatic clean-up: yes',
    no: 'Protected from automatic clean-up: no',
    unknown: 'Protected from automatic clean-up: the browser does not say',
    ask: 'Ask the browser',
    text: 'Browsers may clear unprotected sites when the disk is full, and Safari those that are not visited for seven days.',
  },
  limit: 'Limit',
  limitHelp: (suggested: string) =>
    `In megabytes. Leave empty for what the browser offers, ${suggested}.`,
  limitError: (least: string) =>
    `Enter a whole number of megabytes, at least ${least}, or nothing.`,
  setLimit: 'Set limit',
  limitSet: 'Limit set',
  keep: 'Keep images in this browser',
  keepHelp: 'When off, images last until the page is closed or reloaded.',
  keepFailed: 'There is no room to keep the images of this visit. Nothing was changed.',
  stopKeeping: {
    title: 'Stop keeping images?',
    text: (what: string) =>
      `${what} will be deleted from this browser. New ones last until the page is closed or reloaded.`,
    confirm: (count: number) => `Delete ${images(count)} and stop`,
  },

  export: 'Export everything',
  exportShort: 'Export',
  import: 'Import',
  exporting: (count: number) => `Exporting ${images(count)}`,
  zipping: (count: number) => `Packing ${images(count)}`,
  importing: 'Importing',
  deleting: (count: number) => `Deleting ${images(count)}`,
  progress: (done: number, total: number) => `${english.number(done)} of ${english.number(total)}`,
  reading: 'Reading the file',
  stop: 'Stop',
  exported: (count: number, bytes: string) => `${images(count)} exported, ${bytes}.`,
  exportFailed: 'The export could not be made.',
  unreadable: (count: number) =>
    english.plural(count, {
      one: '1 image could not be read and was left out.',
      other: `${english.number(count)} images could not be read and were left out.`,
    }),
  bare: (count: number) =>
    english.plural(count, {
      one: '1 image is without its references or its mask, which could not be read.',
      other: `${english.number(count)} images are without their references or their mask, which could not be read.`,
    }),
  imported: {
    titles: {
      done: 'Import finished',
      refused: 'Nothing was imported',
      full: 'No room for all images',
      failed: 'Import stopped',
    },
    refused: {
      foreign: 'This file is not an export of a gallery.',
      newer: 'This export is from a newer version of the service. Import it there.',
      incomplete: 'The end of this file is missing. Download or copy it again.',
      packed: 'This ZIP was packed by another program. Import the file as it was exported.',
      damaged: 'This export is damaged. Download or copy it again.',
    },
    failed:
      'The browser could not read the file, or could not store an image. What was added stays.',
    added: (count: number) => `${images(count)} added.`,
    known: (count: number) =>
      english.plural(count, {
        one: '1 image was there already.',
        other: `${english.number(count)} images were there already.`,
      }),
    damaged: (count: number) =>
      english.plural(count, {
        one: '1 image is damaged and was left out.',
        other: `${english.number(count)} images are damaged and were left out.`,
      }),
    notAll: (added: number, total: number) =>
      `${english.number(added)} of ${images(total)} were added before the limit was reached. Free space or raise the limit, then import again.`,
    done: 'Done',
  },

  clear: 'Clear all',
  clearAll: {
    title: 'Delete all images?',
    text: (what: string) => `${what}, only in this browser. This cannot be undone.`,
    exportFirst: 'Export first',
    confirm: (count: number) => `Delete ${images(count)}`,
  },

  full: {
    title: (percent: string) => `The gallery is ${percent} full.`,
    text: 'When it is full, new images are shown but not kept.',
    dismiss: 'Dismiss',
  },
  free: {
    title: 'Free space',
    text: 'The oldest images without a star go first.',
    amount: 'How much',
    result: (count: number, bytes: string) => `${images(count)}, ${bytes}`,
    nothing: 'All images have a star. Remove some stars, or raise the limit.',
    confirm: (count: number) => `Delete ${images(count)}`,
  },

  signOut: {
    title: 'Sign out',
    text: (what: string) => `${what} of yours are kept in this browser.`,
    requestsText:
      'Requests of yours are under way. They are kept in this browser until their images are there.',
    keep: 'Keep them for when I sign in again',
    delete: 'Delete them from this browser',
    neverKeep: 'Do not keep images in this browser from now on',
    running: (count: number) =>
      count === 1
        ? 'A request is still running. Its image is kept in this browser when it is finished; cancel it first if you do not want that.'
        : `${english.number(count)} requests are still running. Their images are kept in this browser when they are finished; cancel them first if you do not want that.`,
    confirm: 'Sign out',
  },

  viewer: {
    position: (number: number, total: number) =>
      `${english.number(number)} of ${english.number(total)}`,
    previous: 'Previous image',
    next: 'Next image',
    back: 'Gallery',
    missing: 'This image is not in this browser.',
    missingText: 'It was deleted, or it was made in another browser.',
    facts: 'About this image',
    prompt: 'Prompt',
    copyPrompt: 'prompt',
    revised: 'Revised prompt',
    request: 'Request',
    made: 'Made',
    cost: 'Cost',
    duration: 'Duration',
    file: 'File',
    traceId: 'Trace ID',
    settings: 'Settings',
    asked: (used: string, asked: string) => `${used} (requested: ${asked})`,
    model: 'Model',
    size: 'Size',
    quality: 'Quality',
    background: 'Background',
    references: 'References',
    reference: (number: number, name: string) => `Image ${number}: ${name}`,
    masked: 'with mask',
    compositedText: 'Combined in this browser: outside the mask are the original’s pixels.',
    scaledText: (original: string) => `The original was ${original} and was scaled to this size.`,
    notPutBack:
      'Pixels outside the mask were not put back: the model’s image has different proportions from image 1.',
    original: 'The model’s own image',
    download: 'Download',
    copy: 'Copy image',
    copied: 'Image copied',
    copyFailed: 'The browser did not let the image be copied.',
    useAsReference: 'Use as reference',
    runAgain: 'Open in playground',
  },
};
