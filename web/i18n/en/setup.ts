import { english } from '../words.ts';

/** The first run. */
export const setup = {
  title: 'Set up',
  steps: {
    account: 'Account',
    upstream: 'Upstream',
    models: 'Models and prices',
    wallet: 'Your wallet',
    picture: 'First image',
  },
  progress: 'Steps',
  stepOf: (number: number, count: number, name: string) =>
    `Step ${english.number(number)} of ${english.number(count)}: ${name}`,
  back: 'Back',
  skip: 'Skip for now',
  later: (place: string) => `You can change this later under ${place}.`,

  account: {
    lead: 'The first account is the administrator’s.',
    secret: 'Setup code',
    secretHelp:
      'The service printed a link when it started. Open that link, or paste what follows its #.',
    incompleteSecret: 'A part of the code is missing. Paste all that follows the #.',
    badSecret: 'This setup link does not work any more. Use the one that the service printed last.',
    submit: 'Create the account',
  },
  upstream: {
    lead: 'An upstream is the image service that makes the pictures.',
    sandbox: 'Sandbox',
    sandboxText:
      'Draws labelled test pictures on this machine. Free, with realistic previews and delays.',
    real: 'OpenAI-compatible',
    realText: 'Any service that speaks the images API. You need its address and a key.',
    kind: 'Kind of upstream',
    baseUrl: 'Base URL',
    baseUrlHelp: 'Up to and including /v1.',
    badUrl: 'Write an address such as https://api.openai.com/v1.',
    credential: 'API key',
    credentialHelp: 'Stored encrypted, and never shown again.',
    submit: 'List its models',
    connected: (name: string, count: number) =>
      english.plural(count, {
        one: `${name} is connected and lists 1 model.`,
        other: `${name} is connected and lists ${english.number(count)} models.`,
      }),
  },
  models: {
    lead: 'A model can be used once it has a price and an upstream that serves it. Both are set here.',
    servedBy: 'Served by',
    price: 'Price per request',
    currency: 'Currency',
    currencyHelp: 'Fixed once money has moved.',
    badCurrency: 'Write three letters such as USD.',
    badPrice: 'Write a decimal such as 0.04.',
    noModel: 'Choose at least one model, or nobody can make a picture.',
    noUpstreamModel: 'Choose what serves it.',
    noUpstream: 'No upstream is connected yet. Go back to connect one, or come here later.',
    notRead: 'The models could not be loaded',
    submit: 'Offer these models',
  },
  wallet: {
    lead: 'Every request is paid from a wallet, yours too.',
    opening: 'Opening balance',
    badAmount: 'Write an amount such as 5 or 2.50.',
    enough: (count: number) =>
      english.plural(count, {
        one: 'Enough for 1 request.',
        other: `Enough for ${english.number(count)} requests.`,
      }),
    reason: 'Opening balance',
    submit: (amount: string) => `Add ${amount}`,
    has: (amount: string) => `Your wallet holds ${amount}.`,
    otherAdded:
      'The other amount that you sent before was added. Nothing was added now: add it again if you want both.',
  },
  picture: {
    lead: 'An API key for your code, and a picture to see it work.',
    keyName: 'Name of the key',
    firstKey: 'first key',
    createKey: 'Create the key',
    storeKey: 'Store this key now',
    keyThere: 'You have an API key.',
    openKeys: 'See your API keys',
    prompt: 'Prompt',
    samplePrompt: 'A paper boat on a still lake at dawn, soft light',
    noPrompt: 'Describe the picture.',
    generate: 'Generate',
    noModel: 'No model can be used yet. It needs a price, and an upstream that serves it.',
    running: 'Drawing',
    preview: (number: number) => `Preview ${english.number(number)}`,
    failed: 'No picture was made',
    cut: 'The connection ended before the picture came. See the usage page for what became of it.',
    charged: (cost: string, balance: string) => `Charged ${cost} · Balance ${balance}`,
    alt: (prompt: string) => `Generated image: ${prompt}`,
    open: 'Open the playground',
    invite: 'Invite someone',
    connect: 'Connect a real upstream',
  },
};
