import { statSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { Config } from '../config.ts';
import {
  isBusy,
  isFileUnavailable,
  isForbidden,
  isFromPooler,
  isFull,
  isTooSlow,
  isUnwritable,
} from '../db/database-error.ts';
import type { Database } from '../db/db.ts';
import { type MigrationStatus, migrationStatus, refuseNewer } from '../db/migrate.ts';
import { refuseHalfMoved } from '../db/move-state.ts';
import { embeddedFile, openDatabase } from '../db/open.ts';
import { isBehindPooler } from '../db/postgres/pooler.ts';
import { type TlsTrouble, tlsTroubleOf } from '../db/postgres/tls-trouble.ts';
import type { Admin } from '../flows/admin-change.ts';
import { refuseWhileRestored } from '../flows/installation/restore-lock.ts';
import type { UpstreamAccess } from '../flows/upstreams/ask-upstream.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { followLink } from '../lib/follow-link.ts';
import { refuseOther } from '../lib/make-folder.ts';
import { draftMasterKey } from '../lib/master-key.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { SecretBox } from '../lib/secret-box.ts';
import { DatabaseUnavailable, reasonOf } from './failure.ts';

/** What a command works on. */
export interface Installation {
  config: Config;
  database: Database;
  clock: Clock;
  /** Whoever typed the command, for the audit. */
  admin: (reason?: string) => Admin;
  upstreamAccess: () => UpstreamAccess;
}

/** Runs a command's work on the database, whose schema must be up to date, and closes it. */
export function withInstallation<T>(
  config: Config,
  kinds: UpstreamAccess['kinds'],
  work: (installation: Installation) => Promise<T>,
): Promise<T> {
  refuseMissingFile(config);
  return withDatabase(config, async (database) => {
    refuseOtherSchema(await readStatus(config, database));
    await refuseHalfMoved(database);
    return work({
      config,
      database,
      clock: systemClock,
      admin: (reason) => ({
        database,
        clock: systemClock,
        actor: cliActor(),
        reason: reason ?? null,
      }),
      upstreamAccess: () => {
        // A command that seals nothing, or is refused, leaves no key in the place of one that is missing.
        const { key, keep } = draftMasterKey(config);
        return { kinds, secretBox: new SecretBox(key, keep) };
      },
    });
  });
}

/** Opens the database whatever its schema; makes an embedded one that is not there yet. */
export async function withDatabase<T>(
  config: Config,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = open(config);
  try {
    return await namingDatabase(config, () => work(database));
  } finally {
    await database.close();
  }
}

/** Of SQLite's own words, none says which file is meant. */
export async function namingDatabase<T>(config: Config, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isFileUnavailable(error) ? unusable(config, 'cannot be used', error) : error;
  }
}

/** Before the service opens it for itself: what is wrong is said as by every other command. */
export async function reachDatabase(config: Config): Promise<void> {
  await withDatabase(config, (database) => readStatus(config, database));
}

/**
 * The migrations and when they ran; the first contact with the database.
 * @param urlName where its URL was written, as one may call it
 */
export async function readStatus(
  config: Config,
  database: Database,
  urlName = 'DATABASE_URL',
): Promise<readonly MigrationStatus[]> {
  try {
    const status = await migrationStatus(database);
    if (await isBehindPooler(database)) throw new DatabaseUnavailable(poolerMessage(urlName));
    return status;
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    // It was reached, and is somebody else's, or does not let this account in, or gives it no time.
    if (error instanceof OperatorError || isForbidden(error) || isTooSlow(error)) throw error;
    throw unavailable(config, error, urlName);
  }
}

/** Whether there is anything to open, without making it. */
export function databaseExists(config: Config): boolean {
  if (config.databaseUrl !== null) return true;
  try {
    const file = embeddedFile(config.dataDir);
    if (statSync(file, { throwIfNoEntry: false })) return true;
    refuseOther(config.dataDir);
    followLink(file);
    return false;
  } catch (error) {
    // Whoever may not look into the folder, or whose disk is away, must not be told that nothing is there.
    throw unavailable(config, error);
  }
}

function open(config: Config): Database {
  if (config.databaseUrl === null) refuseWhileRestored(embeddedFile(config.dataDir));
  try {
    return openDatabase({
      url: config.databaseUrl,
      dataDir: config.dataDir,
      connectionsMax: config.databaseConnectionsMax,
      connectTimeoutMs: config.databaseConnectTimeoutMs,
      // A command notices by itself when its database goes away.
      onBackgroundError: () => {},
    });
  } catch (error) {
    throw unavailable(config, error);
  }
}

function unavailable(
  config: Config,
  cause: unknown,
  urlName = 'DATABASE_URL',
): DatabaseUnavailable {
  if (config.databaseUrl === null) return unusable(config, 'cannot be opened', cause);
  const hint = isFromPooler(cause) ? poolerMessage(urlName) : waysOut(tlsTroubleOf(cause), urlName);
  const message = `the database cannot be reached: ${reasonOf(cause)}; ${hint}`;
  return new DatabaseUnavailable(message, { cause });
}

function waysOut(trouble: TlsTrouble | null, urlName: string): string {
  switch (trouble) {
    case 'no-tls':
      return `set ssl = on for PostgreSQL, or, where nobody else can listen on the way to it, take sslmode out of ${urlName}`;
    case 'unknown-authority':
      return `name the certificate of the authority that signed PostgreSQL's with sslrootcert=<file> in ${urlName}`;
    case 'out-of-date':
      return "renew PostgreSQL's certificate, or set the clock of this machine right";
    case 'other-host':
      return `the host in ${urlName} must be one that PostgreSQL's certificate names`;
    case 'file':
      return `check the files that ${urlName} names`;
    case 'own-out-of-date':
      return `renew the certificate that sslcert names in ${urlName}`;
    case 'own-refused':
      return `sslcert=<file> and sslkey=<file> in ${urlName} must name a certificate that PostgreSQL accepts, and its key; its log says what it has against one`;
    case null:
      return `check ${urlName} and that PostgreSQL runs`;
  }
}

function poolerMessage(urlName: string): string {
  return `${urlName} leads to a pooler such as PgBouncer, which does not pass on the time limits of connections: it must lead to PostgreSQL itself`;
}

/** Of the embedded database. */
function unusable({ dataDir }: Config, what: string, cause: unknown): DatabaseUnavailable {
  const message = `the database in ${dataDir} ${what}: ${reasonOf(cause)}${hintOf(cause)}`;
  return new DatabaseUnavailable(message, { cause });
}

function hintOf(cause: unknown): string {
  if (isFull(cause)) return '; make room on its disk, outside of this folder first';
  if (isBusy(cause)) {
    return '; another process is writing to it for long, such as tintype migrate-to: try again when it is done';
  }
  if (isUnwritable(cause)) {
    return '; this account must be able to write to that folder and to the files in it, the disk must take more files (df -i), and so must this process (ulimit -n)';
  }
  return '';
}

export function refuseMissingFile(config: Config): void {
  if (databaseExists(config)) return;
  throw new OperatorError(
    `there is no database in ${config.dataDir}: make it with tintype migrate, or name its folder with --data-dir`,
  );
}

function refuseOtherSchema(status: readonly MigrationStatus[]): void {
  refuseNewer(status);
  const pending = status.filter(({ executedAt }) => executedAt === null);
  if (pending.length === 0) return;
  const what =
    pending.length === status.length ? 'has no schema yet' : 'is older than this version';
  throw new OperatorError(`the database ${what}: run tintype migrate`);
}

/** Whoever typed the command. */
export function cliActor(): string {
  return `cli:${accountName()}`;
}

function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    // Containers may run under a number that has no name.
    return String(process.getuid?.() ?? 'unknown');
  }
}
