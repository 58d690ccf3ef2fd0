import { english } from '../words.ts';

/** What an administrator changes while the service runs. */
export const adminSettings = {
  title: 'Settings',
  sections: 'Sections',
  names: {
    general: 'General',
    access: 'Access',
    limits: 'Limits',
    notices: 'Notices',
    privacy: 'Privacy',
    proxy: 'Proxy',
  },
  failed: 'The settings could not be loaded',
  unknownSection: 'There is no such section.',
  discard: 'Discard the changes',
  byDefault: (value: string) => `Default: ${value}`,
  empty: 'empty',
  badInteger: (min: number, max: number) =>
    `Write a whole number from ${english.number(min)} to ${english.number(max)}.`,
  badUrl: 'Write an address that begins with http:// or https://, or nothing.',
  badZone: 'Write a time zone such as Europe/Berlin.',
  /** By the setting's name; for one that a later version adds, the service's own words are shown. */
  labels: {
    installation_name: { label: 'Name', help: 'What the console and mails call this service.' },
    currency: {
      label: 'Currency',
      help: 'Of all amounts. It cannot change after the first wallet transaction.',
    },
    default_zone: {
      label: 'Default time zone',
      help: 'For reports to users who chose none and whose browser names none, and for mails to users who chose none.',
    },
    default_language: {
      label: 'Language of mails',
      help: 'For invitations, and for users who chose no language under Account.',
    },
    contact: { label: 'Contact', help: 'Whom users ask for help: an address or a sentence.' },
    top_up_text: {
      label: 'How to add funds',
      help: 'Shown beside the wallet and in notices to users.',
    },
    registration: { label: 'Registration', help: 'Who may open an account.' },
    slots_per_user: {
      label: 'Requests at once',
      help: 'Of each user who has no limit of their own.',
    },
    abandoned_requests_per_user: {
      label: 'Abandoned requests',
      help: 'How many of one user may go on running after their caller went away.',
    },
    top_up_min: {
      label: 'Smallest payment',
      help: 'The least that users can pay at once.',
    },
    top_up_max: {
      label: 'Largest payment',
      help: 'The most that users can pay at once.',
    },
    usage_days_kept: {
      label: 'Days that requests are kept',
      help: 'Of older ones only the totals of each day are kept; 0 keeps all requests.',
    },
    audit_days_kept: {
      label: 'Days that the audit is kept',
      help: 'Older entries are deleted; 0 keeps all.',
    },
    low_balance: {
      label: 'Low balance',
      help: 'When a balance falls below this, the user and the address below are told; 0 for never.',
    },
    notice_webhook_url: {
      label: 'Address for notices',
      help: 'Notices are posted there, signed with TINTYPE_NOTICE_SECRET. Empty for none.',
    },
  } as Readonly<Record<string, SettingWords>>,
  choices: {
    'default_language.en': 'English',
    'default_language.zh-CN': '简体中文',
    'registration.closed': 'Closed',
    'registration.invitation': 'By invitation',
    'registration.open': 'Open',
  } as Readonly<Record<string, string>>,
  locked: {
    currency: 'Amounts are stored in it. It cannot change after the first wallet transaction.',
  } as Readonly<Record<string, string>>,

  privacy: {
    promise: 'Prompts and images are never stored',
    promiseText:
      'Neither the database nor the log ever holds a prompt, an image, a reference image or a mask, and no option changes that.',
    stored: 'What is stored',
    storedItems: [
      {
        what: 'Requests',
        detail:
          'When, by whom and with which key; model, size, quality and format; what it cost, how it ended, and each call to an upstream. The trace ID joins them.',
      },
      {
        what: 'Money',
        detail: 'Every wallet transaction. They are never changed or deleted.',
      },
      {
        what: 'Accounts',
        detail: 'E-mail address, name, and passwords and API keys as hashes.',
      },
      {
        what: 'Sessions',
        detail: 'The browser’s name and its network address, until the session ends.',
      },
      {
        what: 'Upstreams',
        detail: 'Their keys and proxies, encrypted with the secret key of this installation.',
      },
      {
        what: 'Audit',
        detail: 'Who changed what, when and why, without secrets.',
      },
      {
        what: 'Log',
        detail:
          'Of each request its trace ID, route, status and duration. No network address and no content.',
      },
    ],
    elsewhere: 'What is elsewhere',
    elsewhereItems: [
      {
        what: 'Browsers',
        detail:
          'The gallery keeps images in the browser of whoever made them, and sends them nowhere. Each user can turn it off under Account.',
      },
      {
        what: 'Image services',
        detail:
          'The upstream that makes an image gets its prompt and its reference images. What it keeps is up to its terms.',
      },
      {
        what: 'Memory',
        detail:
          'An answer to a request with an Idempotency-Key, as the playground’s are, waits for a repeat, so that a cut connection loses no paid image. It is gone after a while, or with the process.',
      },
    ],
    options: 'What can be chosen',
    optionsText: 'These are start options.',
    optionItems: [
      {
        name: 'TINTYPE_IDEMPOTENCY_REPLAY',
        effect: 'How long such answers wait: 10 minutes by default. `0s` keeps none.',
      },
      {
        name: 'TINTYPE_IDEMPOTENCY_REPLAY_MAX',
        effect: 'How much memory they may take. The least recently used give way.',
      },
      {
        name: 'TINTYPE_LOG_LEVEL',
        effect: 'How much is logged. Prompts and images are left out at every level.',
      },
    ],
  },

  proxyTitle: 'Does a proxy cut long answers?',
  proxyText:
    'Images take up to two minutes. This holds a stream open for 150 seconds, on the way that your browser takes, and says when it was cut. A comment goes over it every 15 seconds at most, as with images.',
  begin: 'Begin the test',
  stop: 'Stop',
  elapsed: (time: string) => `${time} of 2:30`,
  running: 'The stream is open. You can go on working in another tab.',
  passed: 'The stream stayed open for 150 seconds. Nothing on the way cuts images.',
  cut: (time: string) => `The stream was cut after ${time}.`,
  cutAdvice: 'Raise the proxy’s time limit for answers, and turn its buffering off:',
  failedAtOnce: 'The stream could not be opened',
  stopped: (time: string) => `Stopped after ${time}. Until then it was open.`,
  nginx: 'nginx',
  caddy: 'Caddy',
};

interface SettingWords {
  label: string;
  help: string;
}
