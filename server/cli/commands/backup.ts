import type { Command } from 'commander';
import type { Config } from '../../config.ts';
import { backUp, type FileProgress } from '../../flows/installation/back-up.ts';
import { restoreBackup } from '../../flows/installation/restore-backup.ts';
import { listStoredSecrets, type StoredSecret } from '../../flows/stored-secrets.ts';
import { systemClock } from '../../lib/clock.ts';
import { findMasterKey, keyFilePath } from '../../lib/master-key.ts';
import { OperatorError } from '../../lib/operator-error.ts';
import { SecretBox } from '../../lib/secret-box.ts';
import type { Cli } from '../cli.ts';
import { CommandFailed } from '../failure.ts';
import { cliActor, refuseMissingFile, withDatabase } from '../open.ts';
import { counted } from '../output.ts';
import { ProgressNotes } from '../progress.ts';
import { removingUnfinished } from './unfinished.ts';

interface ForceOption {
  force?: boolean;
}

export function addBackupCommands(program: Command, cli: Cli): void {
  addBackupCommand(program, cli);
  addRestoreCommand(program, cli);
}

function addBackupCommand(program: Command, cli: Cli): void {
  program
    .command('backup <file>')
    .description('copy the embedded database into one file, also while the service runs')
    .option('--force', 'overwrite the file if it is there')
    .action(async (file: string, { force = false }: ForceOption, command: Command) => {
      const config = cli.config(command);
      refusePostgres(config, 'pg_dump --format=custom --file=tintype.dump "$DATABASE_URL"');
      refuseMissingFile(config);
      const { dataDir } = config;
      const onProgress = showFileProgress(cli);
      const { bytes } = await removingUnfinished((onDraft) =>
        backUp({ dataDir, file, overwrite: force, onProgress, onDraft }),
      );
      cli.say(`${file} holds the whole database (${bytes} bytes)`);
      cli.note(keyNote(config));
    });
}

function addRestoreCommand(program: Command, cli: Cli): void {
  program
    .command('restore <file>')
    .description('put a backup in the place of the embedded database; the service must be stopped')
    .option('--force', 'also over an installation in use, whose file is kept beside it')
    .action(async (file: string, { force = false }: ForceOption, command: Command) => {
      const config = cli.config(command);
      refusePostgres(config, 'pg_restore --dbname="$DATABASE_URL" tintype.dump');
      const masterKey = findMasterKey(config);
      const outcome = await removingUnfinished((onDraft) =>
        restoreBackup({
          dataDir: config.dataDir,
          file,
          overwrite: force,
          clock: systemClock,
          actor: cliActor(),
          onProgress: showFileProgress(cli),
          onDraft,
        }),
      );
      const { violations, wallets, transactions } = outcome.books;
      if (outcome.kind === 'wrong books') {
        for (const { invariant, subject, detail } of violations) {
          cli.say(`${subject}: ${invariant}: ${detail}`);
        }
        throw new CommandFailed(
          `the books of ${file} are wrong in ${counted(violations.length, 'place')}; nothing was changed`,
        );
      }
      cli.say(
        `${file} is restored to ${config.dataDir}: ${counted(wallets, 'wallet')}, ${counted(transactions, 'transaction')}, and the books are right`,
      );
      if (outcome.keptAs !== null)
        cli.say(`The database that was there is kept: ${outcome.keptAs}`);
      const sealed = await withDatabase(config, listStoredSecrets);
      if (sealed.length > 0) cli.note(sealNote(config, sealed, masterKey));
    });
}

function showFileProgress(cli: Cli): (progress: FileProgress) => void {
  const notes = new ProgressNotes(cli, systemClock);
  return ({ step, part }) =>
    notes.show(step, step === 'copy' ? `copying: ${Math.floor(part * 100)} %` : 'checking');
}

function refusePostgres({ databaseUrl }: Config, instead: string): void {
  if (databaseUrl === null) return;
  throw new OperatorError(
    `this installation is on PostgreSQL (DATABASE_URL), which has tools of its own: ${instead}`,
  );
}

/** The one thing that a backup of the database leaves out. */
function keyNote(config: Config): string {
  return `note: upstream credentials can be read only with the secret key that sealed them (${keyPlace(config)}); keep it too, apart from the backups`;
}

/** Whether the secret key at hand opens what was restored, which else the first requests would tell. */
function sealNote(
  config: Config,
  sealed: readonly StoredSecret[],
  masterKey: Buffer | null,
): string {
  const place = keyPlace(config);
  const box = masterKey && new SecretBox(masterKey);
  const [foreign, ...others] = sealed.filter((secret) => !box?.hasSealed(secret.sealed));
  if (!foreign) {
    return `note: the secret key at hand (${place}) opens all secrets in the backup (${sealed.length})`;
  }
  const more =
    others.length > 0 ? ` and ${counted(others.length, 'more secret')} in the backup` : '';
  return box
    ? `note: the secret key at hand (${place}) is not the one that sealed ${foreign.name}${more}: put that one in its place before the service starts`
    : `note: before the service starts, put the secret key in its place (${place}) that sealed ${foreign.name}${more}, or the service makes another`;
}

function keyPlace({ secretKey, dataDir }: Config): string {
  return secretKey === null ? keyFilePath(dataDir) : 'TINTYPE_SECRET_KEY';
}
