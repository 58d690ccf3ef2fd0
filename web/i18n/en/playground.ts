import { english } from '../words.ts';

const requests = (count: number) =>
  english.plural(count, { one: '1 request', other: `${english.number(count)} requests` });

/** Making pictures: the controls, a request from the click to its receipt, and what comes after. */
export const playground = {
  title: 'Playground',
  settings: 'Settings',
  stage: 'Image',

  prompt: 'Prompt',
  promptPlaceholder: 'What should the image show?',
  promptPlaceholderEdit: 'What should be done with the references?',
  promptCount: (count: number, max: number) =>
    `${english.number(count)} of ${english.number(max)} characters`,
  operations: { generation: 'Generation', edit: 'Edit' },
  pasted: {
    text: 'This text contains copied settings.',
    restore: 'Restore settings',
  },
  replacedDraft: {
    text: 'This replaced what you had here before.',
    back: 'Bring it back',
  },

  model: 'Model',
  modelsFailed: 'The models could not be loaded',
  noModels: 'No model can be used yet',
  noModelsText: 'An administrator has to enable one.',
  noModelsRepair: 'See what is missing',
  modelTime: (median: string) => `usually ${median}`,
  perRequest: 'per request',
  unavailable: 'Not available right now',
  missing: {
    price: 'It has no price.',
    enabled: 'It is disabled.',
    upstream: 'No upstream serves it.',
  },
  repair: { price: 'Set a price', enabled: 'Enable it', upstream: 'Select it in an upstream' },

  size: 'Size',
  sizes: { auto: 'Auto', '1024x1024': '1:1', '1536x1024': '3:2', '1024x1536': '2:3' },
  sizeHelp: {
    auto: 'The model chooses',
    '1024x1024': '1024 × 1024',
    '1536x1024': '1536 × 1024',
    '1024x1536': '1024 × 1536',
  },
  quality: 'Quality',
  qualities: {
    auto: 'Auto',
    low: 'Low',
    medium: 'Medium',
    high: 'High',
    xhigh: 'X-high',
    max: 'Max',
  },
  format: 'Format',
  formats: { png: 'PNG', jpeg: 'JPEG', webp: 'WebP' },
  compression: 'Compression',
  compressionHelp: 'Higher keeps more detail.',
  background: 'Background',
  backgrounds: { auto: 'Auto', opaque: 'Opaque', transparent: 'Transparent' },
  fidelity: 'Reference fidelity',
  fidelityHelp: 'How closely to keep to the references.',
  fidelities: { low: 'Low', high: 'High' },
  previews: 'Previews',
  variations: 'Variations',
  moreSettings: 'More settings',
  reset: 'Reset',
  copySettings: 'Copy settings',
  settingsCopied: 'Settings copied',
  replaced: (wanted: string, model: string, used: string) =>
    `${wanted} is not offered by ${model}. Using ${used}.`,
  switchedFormat: (used: string) => `JPEG has no transparency. Switched to ${used}.`,
  switchedBackground: (used: string) => `JPEG has no transparency. Background is ${used} now.`,

  references: 'References',
  referencesCount: (count: number, max: number) =>
    `${english.number(count)} of ${english.number(max)}`,
  addReference: 'Add image',
  referencesHelp: 'Drop, paste or pick PNG, JPEG or WebP.',
  referencesUnsupported: (model: string) => `${model} takes no reference images.`,
  referencesTooMany: (max: number) =>
    english.plural(max, {
      one: 'This model takes 1 reference image. Remove the others.',
      other: `This model takes ${english.number(max)} reference images. Remove some.`,
    }),
  referencesFull: (max: number) =>
    `There are ${english.number(max)} already, as many as the model takes.`,
  reference: (number: number, name: string) => `Image ${number}: ${name}`,
  moveEarlier: (number: number) => `Move image ${number} earlier`,
  moveLater: (number: number) => `Move image ${number} later`,
  removeReference: (number: number) => `Remove image ${number}`,
  editMask: (number: number) => `Paint a mask on image ${number}`,
  changeMask: (number: number) => `Change the mask of image ${number}`,
  masked: (percent: string) => `Mask, ${percent}`,
  removeMask: (number: number) => `Remove the mask of image ${number}`,
  maskFirst: 'The image with the mask is always the first.',
  maskLost: 'This model takes no masks. The mask is kept, and not sent.',
  reading: 'Reading the image',
  tooLarge: (name: string, size: string) =>
    `${name} is ${size}. The limit is 20 MB and 40 megapixels per file.`,
  shrink: 'Shrink and attach',
  shrunk: (name: string, size: string) => `${name} attached with ${size}.`,
  noImage: (name: string) => `${name} is not an image that this browser can read.`,
  heic: (name: string) =>
    `${name} is a HEIC photo, which this browser cannot read. Save it as JPEG and attach that.`,
  dropHere: 'Drop images to use them as references',

  cost: {
    one: 'This request',
    many: (count: number, price: string) => `${english.number(count)} × ${price}`,
    balance: 'Balance {before}, then {after}',
    short: (cost: string, balance: string) =>
      `This request costs ${cost}. Your balance is ${balance}.`,
    shortMany: (count: number, cost: string, balance: string) =>
      `${requests(count)} cost ${cost}. Your balance is ${balance}.`,
    openWallet: 'Open wallet',
  },
  generate: 'Generate',
  generateKeys: (modifier: string) => `${modifier} Enter`,
  reasons: {
    prompt: 'Write a prompt first.',
    promptLong: 'The prompt is too long.',
    model: 'Choose a model that is available.',
    reading: 'A reference is still being read.',
    referencesUnsupported: 'The model takes no reference images.',
    referencesTooMany: 'There are more references than the model takes.',
    generationUnsupported: 'This model only edits. Add a reference image.',
    offline: 'The service cannot be reached.',
  },
  waiting: (count: number) => `${english.number(count)} waiting`,

  empty: 'Your image appears here.',
  emptyHint: 'Describe it, choose a model, and generate.',

  state: {
    queued: 'Waiting',
    sending: 'Sending',
    running: 'Running',
    cancelling: 'Cancelling',
    checking: 'Checking',
    unresolved: 'Unknown',
    done: 'Succeeded',
    image_lost: 'Succeeded',
    failed: 'Failed',
    cancelled: 'Cancelled',
  },
  queuedText: 'Starts when one of your other requests is done.',
  refusedText: (max: number) =>
    `You have ${requests(max)} running, the limit is ${english.number(max)}. It starts by itself.`,
  usually: (from: string, to: string) => `usually ${from} to ${to} for this model and quality`,
  slow: 'Taking longer than usual.',
  previewOf: (number: number, count: number) => `Preview ${number} of ${count}`,
  previewDots: (number: number, count: number) =>
    `${english.number(number)} of ${english.number(count)} previews`,
  cancel: 'Cancel',
  tooLateToCancel:
    'A preview was shown already, so the request runs to its end and is charged if it succeeds.',
  cancelFailed: 'It could not be cancelled. It goes on, and is charged if it succeeds.',
  notifyMe: 'Notify me when it is done',
  notified: { title: 'Image ready', failed: 'Request failed' },

  composited: 'Composited',
  charged: (amount: string) => `Charged ${amount}`,
  balanceNow: (amount: string) => `Balance ${amount}`,
  cancelledUncharged: 'Cancelled. Not charged.',
  cancelledUnsent: 'Cancelled before it reached the service. Not charged.',
  cancelledTooLate: 'It had already finished when you cancelled.',
  recovered: (seconds: string) =>
    `The connection ended after ${seconds}. The image was fetched again, without a second charge.`,
  recoveredLeft:
    'The page was left while it was being made. The image was fetched without a second charge.',
  imageLost: (amount: string) =>
    `It finished and ${amount} was charged, but the image is no longer available.`,
  cut: (seconds: string) => `The connection ended after ${seconds} without a result.`,
  pageLeft: 'The page was left before there was a result.',
  cutUnreached: 'The service could not be reached. Whether the request arrived is not known.',
  proxyHint: (seconds: string) =>
    `A proxy in front of this service probably cuts connections after ${seconds}.`,
  checkingText: 'Finding out what became of it.',
  checkResult: 'Check result',
  unresolvedText: 'Check result repeats the same request, which is charged at most once.',

  failed: {
    invalid_request_error: (message: string) => `The request was not accepted: ${message}`,
    insufficient_quota: (price: string, balance: string) =>
      `This request costs ${price}. Your balance is ${balance}.`,
    rate_limit: 'There are too many requests running. Try again in a moment.',
    model_unavailable: (model: string) =>
      `${model} is not available right now. An administrator has to enable it.`,
    upstream_error: 'The image service behind this one failed.',
    upstream_refused: 'The image service declined this request.',
    uncharged: 'You were not charged.',
    interrupted: 'The service stopped before the image was done.',
    client_gone: 'The connection was lost before there was an image.',
    untaken: 'The image was not fetched in time.',
    returned: 'The charge was returned.',
    other: 'The request failed.',
  },
  showField: 'Show field',
  editPrompt: 'Edit prompt',
  chooseModel: 'Choose another model',
  retry: 'Retry',
  dismiss: 'Dismiss',

  usedPair: (name: string, asked: string, used: string) =>
    `${name}: requested ${asked}, used ${used}`,
  revised: 'Revised prompt',
  revisedBy: 'The upstream drew this prompt instead of yours.',
  added: 'added',
  removed: 'left out',

  notKept: {
    full: 'There is no room left in this browser. The image is not in the gallery: download it, or free space.',
    failed: 'The image could not be put into the gallery. Download it to keep it.',
    freeSpace: 'Free space',
    again: 'Try again',
    stillNot: 'It could not be put into the gallery now either.',
  },

  actions: {
    label: 'What to do with this image',
    download: 'Download',
    copy: 'Copy image',
    copied: 'Image copied',
    copyFailed: 'The browser did not copy the image. Download it instead.',
    reference: 'Use as reference',
    mask: 'Edit with mask',
    again: 'Run again',
    againFor: (price: string) => `Run again for ${price}`,
    vary: 'Vary',
    compare: 'Compare',
    code: 'Copy as code',
    copySettings: 'Copy settings',
    star: 'Star',
    unstar: 'Remove star',
    delete: 'Delete',
    deleted: 'Image deleted',
    undo: 'Undo',
    more: 'More actions',
  },
  addedReference: 'Added as a reference',
  notTaken: 'The browser could not read the image.',
  referencesGone: 'Its reference images or its mask are not all in this browser any more.',

  strip: 'Recent images',
  stripItem: (state: string, prompt: string) => `${state}: ${prompt}`,

  viewer: {
    alt: (prompt: string) => `Generated image: ${prompt}`,
    previewAlt: (number: number) => `Preview ${number}, not finished`,
    gone: 'The image is no longer in this browser.',
    fit: 'Fit',
    full: '100%',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    zoom: (percent: string) => `Zoom ${percent}`,
    mat: 'Mat',
    mats: { theme: 'Theme', light: 'Light', mid: 'Mid', dark: 'Dark' },
  },

  compare: {
    title: 'Compare',
    with: 'With',
    mode: 'How',
    modes: { slider: 'Slider', side: 'Side by side', hold: 'Hold' },
    reference: (number: number) => `Reference ${number}`,
    image: (prompt: string) => prompt,
    nothing: 'There is nothing to compare it with yet.',
    slider: 'How much of the other image is shown',
    holdButton: 'Hold to see the other image',
    thisOne: 'This image',
    otherOne: 'The other',
    stop: 'Close comparison',
  },

  keys: { step: 'Previous and next image', history: 'Earlier and later prompt' },

  code: {
    title: 'Copy as code',
    text: 'Exactly what the playground sent. Put your API key into the environment as IMAGE_API_KEY.',
    target: 'Language',
    targets: {
      curl: 'curl',
      powershell: 'PowerShell',
      python: 'Python',
      node: 'Node',
      fetch: 'fetch',
    },
    stream: 'Stream',
    files: 'Download these files',
    filesText: 'The code reads them from the folder in which it is run.',
    label: 'Code',
  },

  announce: {
    started: 'Request started.',
    preview: (number: number) => `Preview ${number}.`,
    finished: 'Image finished.',
    failed: 'Request failed.',
    cancelled: 'Request cancelled.',
    unresolved: 'The connection was lost. Check the result.',
  },
};
