/** The part of the composition root that is about signing in to the console. */
import { readFileSync } from 'node:fs';
import { isSetUp } from '../accounts/user-store.ts';
import { type Config, ConfigError, optionsTable } from '../config.ts';
import type { Database } from '../db/db.ts';
import { createFirstAdmin } from '../flows/installation/set-up-installation.ts';
import type { LinkPost } from '../flows/sign-in/identity-mail.ts';
import type { OutsideIssuer } from '../identity/outside-issuer.ts';
import { PasswordHasher } from '../identity/password-hasher.ts';
import { QuestionLimit } from '../identity/question-limit.ts';
import { must } from '../lib/assert.ts';
import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/logger.ts';
import { createMailer, type MailOutcome } from '../lib/mailer.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import { ServiceError } from '../lib/service-error.ts';

interface Surroundings {
  config: Config;
  clock: Clock;
  log: Logger;
}

export interface SignInParts {
  hasher: PasswordHasher;
  secretBox: SecretBox;
  questions: QuestionLimit;
  issuer: OutsideIssuer | null;
  linkPost: LinkPost | null;
}

export async function openSignIn({
  secretBox,
  onMail,
  ...surroundings
}: Surroundings & {
  secretBox: SecretBox;
  onMail: (outcome: MailOutcome) => void;
}): Promise<SignInParts> {
  return {
    hasher: new PasswordHasher(),
    secretBox,
    questions: new QuestionLimit(surroundings.clock, surroundings.config.workers),
    issuer: await openIssuer(surroundings),
    linkPost: openLinkPost(surroundings, onMail),
  };
}

/** What the sign-in page offers besides the password. */
export function shownSignIn(config: Config): { oidcName: string | null; sendsMail: boolean } {
  return {
    oidcName: config.oidcIssuer === null ? null : config.oidcName,
    sendsMail: mailOptions(config) !== null,
  };
}

/** For starts without anybody at a browser; does nothing once somebody has an account. */
export async function addConfiguredAdmin({
  database,
  config,
  clock,
  log,
  hasher,
}: Surroundings & { database: Database; hasher: PasswordHasher }): Promise<void> {
  const { adminEmail: email } = config;
  // A password that is needed no more may be gone.
  if (email === null || (await isSetUp(database))) return;
  const password = readAdminPassword(config);
  try {
    if (await createFirstAdmin({ database, clock, hasher }, { email, password })) {
      log.info({}, 'the first administrator was added');
    }
  } catch (error) {
    throw error instanceof ServiceError ? unusableAdmin(error, config) : error;
  }
}

function unusableAdmin(cause: ServiceError, { adminPasswordFile }: Config): ConfigError {
  const options = optionsTable;
  const password = adminPasswordFile === null ? options.adminPassword : options.adminPasswordFile;
  const { variable } = cause.param === 'email' ? options.adminEmail : password;
  return new ConfigError([`${variable} cannot be used: ${cause.message}`], { cause });
}

async function openIssuer({ config, clock }: Surroundings): Promise<OutsideIssuer | null> {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret } = config;
  if (issuer === null || clientId === null) return null;
  const { OutsideIssuer } = await import('../identity/outside-issuer.ts');
  return new OutsideIssuer({ issuer, clientId, clientSecret, scopes: config.oidcScopes }, clock);
}

/** Nobody sends a letter again, and a process that stops ends when it is sent. */
const letterTimeoutMs = 30_000;

function openLinkPost(
  { config, clock, log }: Surroundings,
  onOutcome: (outcome: MailOutcome) => void,
): LinkPost | null {
  const options = mailOptions(config);
  if (!options) return null;
  const { url, from, publicUrl } = options;
  const mailer = createMailer({ url, from, timeoutMs: letterTimeoutMs, onOutcome }, clock);
  return { mailer, publicUrl, log };
}

/** A link must know where it leads; what a request says of that is not to be trusted in a mail. */
function mailOptions({ smtpUrl, mailFrom, publicUrl }: Config) {
  if (smtpUrl === null || mailFrom === null || publicUrl === null) return null;
  return { url: smtpUrl, from: mailFrom, publicUrl };
}

function readAdminPassword({ adminPassword, adminPasswordFile }: Config): string {
  if (adminPassword !== null) return adminPassword;
  const file = must(adminPasswordFile, 'the file of the password, which goes with the address');
  try {
    // Editors end a file with a line break, which is no part of it.
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (cause) {
    throw new ConfigError([`TINTYPE_ADMIN_PASSWORD_FILE cannot be read: ${file}`], { cause });
  }
}
