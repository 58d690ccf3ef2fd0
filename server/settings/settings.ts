/** Every value an administrator may change while the service runs, in one table. */
import { z } from 'zod';
import { languages } from '../../shared/languages.ts';
import { type Amount, formatAmount, parseAmount, zero } from '../../shared/money.ts';
import { must } from '../lib/assert.ts';
import { invalidRequest } from '../lib/service-error.ts';
import { isZone } from '../lib/time-text.ts';

const urlCharactersMax = 2_048;

/** Longer than what the console sums up by itself, a month of a key's limits among it. */
const daysKeptMin = 35;
const daysKeptMax = 36_500;

export const settingsTable = {
  slotsPerUser: integerSetting({
    name: 'slots_per_user',
    section: 'limits',
    default: 16,
    min: 1,
    max: 10_000,
    description:
      'Requests that a user may have running at once, unless the user has a limit of their own.',
  }),
  currency: textSetting({
    name: 'currency',
    section: 'general',
    default: 'USD',
    pattern: /^[A-Z]{3}$/,
    max: 3,
    expected: 'three capital letters such as USD',
    description: 'The one currency of all amounts. Fixed from the first wallet transaction on.',
  }),
  abandonedRequestsPerUser: integerSetting({
    name: 'abandoned_requests_per_user',
    section: 'limits',
    default: 3,
    min: 0,
    max: 1_000,
    description:
      'Requests of one user that may run on at the same time after their caller went away.',
  }),
  lowBalance: amountSetting({
    name: 'low_balance',
    section: 'notices',
    default: '0.00',
    description:
      'A balance that falls below this is told to the user and to notice_webhook_url; 0 for never.',
  }),
  noticeWebhookUrl: urlSetting({
    name: 'notice_webhook_url',
    section: 'notices',
    default: '',
    description: 'Where notices are posted, signed with TINTYPE_NOTICE_SECRET; empty for nowhere.',
  }),
  usageDaysKept: daysKeptSetting({
    name: 'usage_days_kept',
    section: 'limits',
    default: 400,
    description:
      'Days for which each request is listed; then only totals of days are kept. 0 keeps all.',
  }),
  auditDaysKept: daysKeptSetting({
    name: 'audit_days_kept',
    section: 'limits',
    default: 800,
    description: 'Days for which the audit is kept. 0 keeps all.',
  }),
  installationName: textSetting({
    name: 'installation_name',
    section: 'general',
    default: 'Tintype',
    pattern: /^[^\p{Cc}]{1,60}$/u,
    max: 60,
    expected: '1 to 60 printable characters',
    description: 'What the console and mails call this service.',
  }),
  registration: choiceSetting({
    name: 'registration',
    section: 'access',
    default: 'invitation',
    choices: ['closed', 'invitation', 'open'],
    description: 'Who may open an account: nobody, whoever was invited, or anybody.',
  }),
  defaultZone: zoneSetting({
    name: 'default_zone',
    section: 'general',
    default: 'UTC',
    description:
      'Time zone of reports and mails for users who chose none; in reports their browser’s comes first.',
  }),
  defaultLanguage: choiceSetting({
    name: 'default_language',
    section: 'general',
    default: 'en',
    choices: languages,
    description: 'Language of mails to whoever chose none: en or zh-CN.',
  }),
  contact: freeTextSetting({
    name: 'contact',
    section: 'general',
    default: '',
    max: 200,
    description: 'Whom users ask for help: an address or a sentence. Empty for nobody.',
  }),
  topUpMin: amountSetting({
    name: 'top_up_min',
    section: 'limits',
    default: '5.00',
    description: 'The least that users can pay at once.',
  }),
  topUpMax: amountSetting({
    name: 'top_up_max',
    section: 'limits',
    default: '500.00',
    description: 'The most that users can pay at once.',
  }),
  topUpText: freeTextSetting({
    name: 'top_up_text',
    section: 'general',
    default: '',
    max: 1_000,
    description: 'How to add funds, shown beside a wallet and in notices to users.',
  }),
};

export type SettingKey = keyof typeof settingsTable;

export type Settings = { readonly [K in SettingKey]: (typeof settingsTable)[K]['default'] };

export type SettingValue = Settings[SettingKey];

export const settingSections = ['general', 'access', 'limits', 'notices'] as const;
export type SettingSection = (typeof settingSections)[number];

/** What a form field for a setting is made of. */
export type SettingForm =
  | { kind: 'integer'; min: number; max: number }
  | { kind: 'choice'; choices: readonly string[] }
  | { kind: 'text'; charactersMax: number; isLong: boolean }
  | { kind: 'amount' | 'url' | 'zone' };

interface Setting<T> {
  /** As stored, and as administrators write it. */
  name: string;
  /** Those of one section are changed together. */
  section: SettingSection;
  form: SettingForm;
  default: T;
  /** What a value must be, for messages and help. */
  expected: string;
  description: string;
  schema: z.ZodType<T>;
}

// Object.keys widens to string.
export const settingKeys = Object.keys(settingsTable) as readonly SettingKey[];

/** Finds a setting by the name that administrators use. */
export function findSetting(name: string): SettingKey | null {
  return settingKeys.find((key) => settingsTable[key].name === name) ?? null;
}

/** Checks a value; a number may also be given as text. */
export function parseSetting(key: SettingKey, value: unknown): SettingValue {
  const { name, expected, schema } = settingsTable[key];
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalidRequest(name, `${name} must be ${expected}.`);
}

/** The threshold below which a balance is low; zero when nobody wants to know. */
export function lowBalanceOf({ lowBalance }: Settings): Amount {
  return must(parseAmount(lowBalance), 'low_balance, an amount');
}

/** Between which users may choose what they pay. */
export function topUpLimitsOf({ topUpMin, topUpMax }: Settings): { min: Amount; max: Amount } {
  return {
    min: must(parseAmount(topUpMin), 'top_up_min, an amount'),
    max: must(parseAmount(topUpMax), 'top_up_max, an amount'),
  };
}

/** An amount from zero on, kept as the decimal that people write. */
function amountSetting(
  definition: Omit<Setting<string>, 'expected' | 'form' | 'schema'>,
): Setting<string> {
  const schema = z.string().transform((text, context) => {
    const amount = parseAmount(text);
    if (amount !== null && amount >= zero) return formatAmount(amount);
    context.addIssue('not an amount');
    return z.NEVER;
  });
  const form = { kind: 'amount' } as const;
  return { ...definition, form, expected: 'an amount such as 5 or 2.50', schema };
}

function urlSetting(
  definition: Omit<Setting<string>, 'expected' | 'form' | 'schema'>,
): Setting<string> {
  return {
    ...definition,
    form: { kind: 'url' },
    expected: 'an http(s) URL without user name and password, or empty',
    schema: z
      .string()
      .max(urlCharactersMax)
      .refine((text) => text === '' || isPlainUrl(text)),
  };
}

/** Settings are shown and audited, so that a password in one would be known to many. */
function isPlainUrl(text: string): boolean {
  const url = /^https?:\/\/[^\s\\\p{Cc}]+$/iu.test(text) ? URL.parse(text) : null;
  return url !== null && url.username === '' && url.password === '';
}

function integerSetting({
  min,
  max,
  ...definition
}: Omit<Setting<number>, 'expected' | 'form' | 'schema'> & {
  min: number;
  max: number;
}): Setting<number> {
  const decimal = z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number);
  return {
    ...definition,
    form: { kind: 'integer', min, max },
    expected: `a whole number from ${min} to ${max}`,
    schema: z.union([z.number(), decimal]).pipe(z.number().int().min(min).max(max)),
  };
}

/** Zero for ever. */
function daysKeptSetting(
  definition: Omit<Setting<number>, 'expected' | 'form' | 'schema'>,
): Setting<number> {
  const setting = integerSetting({ ...definition, min: 0, max: daysKeptMax });
  return {
    ...setting,
    expected: `0, or a whole number from ${daysKeptMin} to ${daysKeptMax}`,
    schema: setting.schema.refine((days) => days === 0 || days >= daysKeptMin),
  };
}

function textSetting({
  pattern,
  max,
  ...definition
}: Omit<Setting<string>, 'form' | 'schema'> & { pattern: RegExp; max: number }): Setting<string> {
  const form = { kind: 'text', charactersMax: max, isLong: false } as const;
  return { ...definition, form, schema: z.string().max(max).regex(pattern) };
}

function choiceSetting<const C extends readonly [string, ...string[]]>({
  choices,
  ...definition
}: Omit<Setting<C[number]>, 'expected' | 'form' | 'schema'> & { choices: C }): Setting<C[number]> {
  return {
    ...definition,
    form: { kind: 'choice', choices },
    expected: `one of ${choices.join(', ')}`,
    schema: z.enum(choices),
  };
}

/** A few sentences of the operator's. */
function freeTextSetting({
  max,
  ...definition
}: Omit<Setting<string>, 'expected' | 'form' | 'schema'> & { max: number }): Setting<string> {
  return {
    ...definition,
    form: { kind: 'text', charactersMax: max, isLong: true },
    expected: `at most ${max} characters`,
    schema: z.string().trim().max(max),
  };
}

function zoneSetting(
  definition: Omit<Setting<string>, 'expected' | 'form' | 'schema'>,
): Setting<string> {
  return {
    ...definition,
    form: { kind: 'zone' },
    expected: 'a time zone such as Europe/Berlin',
    schema: z.string().refine(isZone),
  };
}
