/**
 * Every start option, in one table, and the only place that reads the environment. A value comes
 * from the command line, the environment, a file, or the table's default, in this order.
 */
import { resolve } from 'node:path';
import { connectionOptions } from './config/connections.ts';
import { databaseOptions } from './config/database.ts';
import { isForeignName, readConfigFile } from './config/file.ts';
import { imageFetchOptions } from './config/image-fetch.ts';
import { limitOptions } from './config/limits.ts';
import { paymentContradictions, paymentOptions } from './config/payments.ts';
import { signInContradictions, signInOptions } from './config/sign-in.ts';
import { telemetryContradictions, telemetryOptions } from './config/telemetry.ts';
import { workerOptions } from './config/workers.ts';
import { type LogLevel, logLevels } from './lib/logger.ts';
import { isSender, isSmtpUrl } from './lib/mailer.ts';
import { decodeMasterKey, masterKeyForm } from './lib/master-key.ts';
import { OperatorError } from './lib/operator-error.ts';
import {
  byteSize,
  duration,
  integer,
  noneOr,
  oneOf,
  optional,
  text,
  urlWithPassword,
} from './lib/option-types.ts';
import {
  type Contradiction,
  defineOption,
  describeContradictions,
  type OptionValues,
  readOptions,
  unknownOptions,
  type Variables,
} from './lib/options.ts';
import { withoutServiceLinks } from './lib/service-links.ts';

export const optionsTable = {
  host: defineOption({
    variable: 'TINTYPE_HOST',
    type: text('a host name or address', (host) => /^[\w.:-]+$/.test(host)),
    default: '127.0.0.1',
    meaning: 'Address to listen on; `0.0.0.0` or `::` for all; `localhost` is 127.0.0.1.',
  }),
  port: defineOption({
    variable: 'TINTYPE_PORT',
    type: integer({ min: 0, max: 65_535 }),
    default: 8080,
    meaning: 'Port to listen on; 0 takes any free one.',
  }),
  publicUrl: defineOption({
    variable: 'TINTYPE_PUBLIC_URL',
    type: optional(text('an address such as https://images.example.com', isOrigin)),
    default: null,
    meaning:
      'Address at which browsers reach the service, for links, cookies and passkeys; without it, the one that the browser gives.',
  }),
  trustedProxies: defineOption({
    variable: 'TINTYPE_TRUSTED_PROXIES',
    type: integer({ min: 0, max: 10 }),
    default: 0,
    meaning:
      'Number of proxies in front of the service that add their client’s address to `x-forwarded-for`.',
  }),
  dataDir: defineOption({
    variable: 'TINTYPE_DATA_DIR',
    type: text('a folder', (folder) => folder !== ''),
    default: './data',
    meaning: 'Folder of the embedded database and of the key file.',
  }),
  ...databaseOptions,
  logLevel: defineOption<LogLevel>({
    variable: 'TINTYPE_LOG_LEVEL',
    type: oneOf(logLevels),
    default: 'info',
    meaning: `How much is logged: ${logLevels.join(', ')}.`,
  }),
  secretKey: defineOption({
    variable: 'TINTYPE_SECRET_KEY',
    type: optional(text(masterKeyForm, (key) => decodeMasterKey(key) !== null)),
    default: null,
    secret: true,
    meaning:
      'Seals upstream credentials and authenticators: 32 random bytes in base64 or hex, the same in every process. Without it, `secret.key` in the data folder.',
  }),
  keyPrefix: defineOption({
    variable: 'TINTYPE_KEY_PREFIX',
    type: text('1 to 16 lower case letters and digits', (word) => /^[a-z0-9]{1,16}$/.test(word)),
    default: 'tin',
    meaning: 'Word in new API keys: `sk-<word>-…`. Keys already issued stay valid.',
  }),
  generationBodyBytesMax: defineOption({
    variable: 'TINTYPE_GENERATION_BODY_MAX',
    type: byteSize({ min: '1KiB', max: '100MiB' }),
    default: 1024 ** 2,
    meaning: 'Largest body of a generation request.',
  }),
  editBodyBytesMax: defineOption({
    variable: 'TINTYPE_EDIT_BODY_MAX',
    type: byteSize({ min: '1KiB', max: '1GiB' }),
    default: 100 * 1024 ** 2,
    meaning: 'Largest body of an edit request.',
  }),
  requestDeadlineMs: defineOption({
    variable: 'TINTYPE_REQUEST_DEADLINE',
    type: duration({ min: '1s', max: '285s' }),
    default: 285_000,
    meaning: 'Time for an answer that is not streamed; clients commonly give up after 300s.',
  }),
  streamDeadlineMs: defineOption({
    variable: 'TINTYPE_STREAM_DEADLINE',
    type: duration({ min: '1s', max: '1h' }),
    default: 600_000,
    meaning: 'Time for a streamed answer.',
  }),
  keepAliveIntervalMs: defineOption({
    variable: 'TINTYPE_KEEP_ALIVE_INTERVAL',
    type: duration({ min: '1s', max: '5m' }),
    default: 10_000,
    meaning: 'Interval of the comments that keep a quiet stream open.',
  }),
  graceMs: defineOption({
    variable: 'TINTYPE_GRACE',
    type: duration({ min: '0s', max: '10m' }),
    default: 30_000,
    meaning: 'How long a request runs on after its caller left, so that a retry can take over.',
  }),
  idempotencyReplayMs: defineOption({
    variable: 'TINTYPE_IDEMPOTENCY_REPLAY',
    type: duration({ min: '0s', max: '24h' }),
    default: 600_000,
    meaning: 'How long a finished answer is kept in memory for its Idempotency-Key.',
  }),
  idempotencyReplayBytesMax: defineOption({
    variable: 'TINTYPE_IDEMPOTENCY_REPLAY_MAX',
    type: byteSize({ min: '0B', max: '64GiB' }),
    default: 256 * 1024 ** 2,
    meaning: 'Memory for such answers; the least recently used give way.',
  }),
  leaseMs: defineOption({
    variable: 'TINTYPE_LEASE',
    type: duration({ min: '1s', max: '10m' }),
    default: 20_000,
    meaning: 'How long the holds of a process outlive its last renewal of the lease.',
  }),
  leaseRenewMs: defineOption({
    variable: 'TINTYPE_LEASE_RENEW',
    type: duration({ min: '100ms', max: '5m' }),
    default: 5_000,
    meaning: 'Interval at which a process renews its lease; at most half the lease.',
  }),
  shutdownLimitMs: defineOption({
    variable: 'TINTYPE_SHUTDOWN_LIMIT',
    type: duration({ min: '0s', max: '1h' }),
    default: 30_000,
    meaning: 'How long running requests may take to finish when the service stops.',
  }),
  ...imageFetchOptions,
  requestsInFlightMax: defineOption({
    variable: 'TINTYPE_REQUESTS_IN_FLIGHT',
    type: integer({ min: 1, max: 100_000 }),
    default: 2_000,
    meaning: 'Requests that one process works on at once; more are answered 429.',
  }),
  attemptsPerPictureMax: defineOption({
    variable: 'TINTYPE_ATTEMPTS_PER_PICTURE',
    type: integer({ min: 1, max: 10 }),
    default: 3,
    meaning: 'Upstream calls allowed for one picture.',
  }),
  upstreamCheckMs: defineOption({
    variable: 'TINTYPE_UPSTREAM_CHECK',
    type: noneOr(duration({ min: '1s', max: '24h' })),
    default: 300_000,
    meaning:
      'Interval at which each upstream is asked for its model list, which is free, to see whether it answers; 0 for never.',
  }),
  noticeSecret: defineOption({
    variable: 'TINTYPE_NOTICE_SECRET',
    type: optional(text('16 characters or more', (secret) => secret.length >= 16)),
    default: null,
    secret: true,
    meaning: 'Signs the notices to the setting `notice_webhook_url`, which needs it.',
  }),
  smtpUrl: defineOption({
    variable: 'TINTYPE_SMTP_URL',
    type: optional(urlWithPassword('smtps://user:password@host:465', isSmtpUrl)),
    default: null,
    secret: true,
    meaning:
      'Mail server for mail to users (notices, links to sign in), `smtps://` or `smtp://` (with STARTTLS); without it, they get no mail.',
  }),
  mailFrom: defineOption({
    variable: 'TINTYPE_MAIL_FROM',
    type: optional(text('an address such as Images <billing@example.com>', isSender)),
    default: null,
    meaning: 'Sender of such mail; needed with `TINTYPE_SMTP_URL`.',
  }),
  ...limitOptions,
  ...connectionOptions,
  ...workerOptions,
  ...telemetryOptions,
  ...signInOptions,
  ...paymentOptions,
};

export type OptionName = keyof typeof optionsTable;
export type Config = OptionValues<typeof optionsTable>;

// Object.keys widens to string.
export const optionNames = Object.keys(optionsTable) as readonly OptionName[];

/** Options given on the command line, as text. */
export type ConfigFlags = { readonly [K in OptionName]?: string | undefined } & {
  /** A file of `NAME=value` lines. */
  readonly config?: string | undefined;
};

export interface LoadedConfig {
  config: Config;
  /** Where each value came from. */
  sources: Readonly<Record<OptionName, string>>;
}

/** Everything wrong with the options at once, so that nobody mends them one start at a time. */
export class ConfigError extends OperatorError {
  readonly problems: readonly string[];

  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(problems.join('; '), options);
    this.problems = problems;
  }
}

const fileVariable = 'TINTYPE_CONFIG';
/** Read by the test suite, which hands its environment on to the processes it starts. */
const testVariables = 'TINTYPE_TEST_';

export function loadConfig(
  flags: ConfigFlags = {},
  variables: Variables = process.env,
): LoadedConfig {
  const environment = withoutServiceLinks(variables);
  const file = readConfigFile(flags.config ?? environment[fileVariable]);
  const { values, sources, problems, misread } = readOptions(optionsTable, [
    { source: 'flag', variables: flagVariables(flags) },
    { source: 'environment', variables: environment },
    { source: 'file', variables: file.variables },
  ]);
  const namesInFile = Object.keys(file.variables).filter((name) => !isForeignName(name));
  const unknown = [
    ...unknownOptions(optionsTable, ownVariables(environment), mendVariable),
    ...unknownOptions(optionsTable, namesInFile, mendLine),
  ];
  const inConflict = describeContradictions(contradictions(values), misread);
  const all = [...file.problems, ...unknown, ...problems, ...inConflict];
  if (all.length > 0) throw new ConfigError(all);
  // So that the folder is the same one wherever the process goes.
  return { config: { ...values, dataDir: resolve(values.dataDir) }, sources };
}

function flagVariables(flags: ConfigFlags): Variables {
  return Object.fromEntries(optionNames.map((name) => [optionsTable[name].variable, flags[name]]));
}

/** Whoever exported it for another program does not look for it among options. */
function mendVariable(variable: string): string {
  return `an environment variable: correct it, or unset ${variable}`;
}

function mendLine(): string {
  return 'a line of the configuration file: correct it, or take it out';
}

function ownVariables(environment: Variables): string[] {
  return Object.keys(environment).filter(
    (name) =>
      name.startsWith('TINTYPE_') && name !== fileVariable && !name.startsWith(testVariables),
  );
}

function contradictions(config: Config): Contradiction[] {
  const { leaseMs, leaseRenewMs, smtpUrl, mailFrom } = config;
  const found = [
    ...telemetryContradictions(config),
    ...signInContradictions(config),
    ...paymentContradictions(config),
  ];
  if (leaseRenewMs * 2 > leaseMs) {
    const lease = optionsTable.leaseMs.variable;
    const renew = optionsTable.leaseRenewMs.variable;
    found.push({ variables: [lease, renew], problem: `${renew} must be at most half of ${lease}` });
  }
  if (smtpUrl !== null && mailFrom === null) {
    const from = optionsTable.mailFrom.variable;
    const smtp = optionsTable.smtpUrl.variable;
    found.push({ variables: [from, smtp], problem: `${from} must be set, because ${smtp} is` });
  }
  return found;
}

function isOrigin(url: string): boolean {
  const parsed = /^https?:/.test(url) ? URL.parse(url) : null;
  return parsed !== null && parsed.origin === url.replace(/\/$/, '');
}
