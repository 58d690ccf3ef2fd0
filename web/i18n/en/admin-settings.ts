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
    installation_name: { label: 'Name', help: 'What the console calls this service.' },
    currency: {
      label: 'Currency',
      help: 'Of all amounts. Fixed from the first wallet transaction on.',
    },
    default_zone: {
      label: 'Default time zone',
      help: 'Of reports, for users who chose none and whose browser names none.',
    },
    contact: { label: 'Contact', help: 'Whom users ask for help: an address or a sentence.' },
    top_up_text: { label: 'How to add funds', help: 'Shown beside the wallet.' },
    registration: { label: 'Registration', help: 'Who may open an account.' },
    slots_per_user: {
      label: 'Requests at once',
      help: 'Of each user who has no limit of their own.',
    },
    abandoned_requests_per_user: {
      label: 'Requests that run on',
      help: 'Of one user, after their caller went away.',
    },
    low_balance: {
      label: 'Low balance',
      help: 'Who falls below it is told, and so is the address below; 0 for never.',
    },
    notice_webhook_url: {
      label: 'Address for notices',
      help: 'They are posted there, signed with TINTYPE_NOTICE_SECRET. Empty for nowhere.',
    },
  } as Readonly<Record<string, SettingWords>>,
  choices: {
    'registration.closed': 'Closed',
    'registration.invitation': 'By invitation',
    'registration.open': 'Open',
  } as Readonly<Record<string, string>>,
  locked: {
    currency: 'Amounts are stored in it. It cannot change after the first wallet transaction.',
  } as Readonly<Record<string, string>>,

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
