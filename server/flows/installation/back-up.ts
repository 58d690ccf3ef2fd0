import { randomBytes } from 'node:crypto';
import { existsSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isUnavailable, isUnwritable } from '../../db/database-error.ts';
import { embeddedFile } from '../../db/open.ts';
import {
  checkSqliteFile,
  companions,
  copySqliteFile,
  driverPath,
  hasTable,
  removeSqliteFile,
} from '../../db/sqlite/file.ts';
import { placeFile } from '../../lib/durable-file.ts';
import { keyFilePath } from '../../lib/master-key.ts';
import { OperatorError } from '../../lib/operator-error.ts';

export interface Backup {
  dataDir: string;
  file: string;
  /** Whether a file of that name may give way. */
  overwrite: boolean;
  onProgress: (progress: FileProgress) => void;
  /** Told how to remove what is not finished yet, for whoever ends the process meanwhile. */
  onDraft?: (remove: () => void) => void;
}

export interface FileProgress {
  step: 'copy' | 'check';
  /** From 0 to 1. */
  part: number;
}

/**
 * Copies the embedded database into one file, while the service works. The file appears under its
 * name when it is whole, checked and safe on the disk.
 */
export async function backUp(backup: Backup): Promise<{ bytes: number }> {
  const { dataDir, file, onProgress, onDraft } = backup;
  const source = embeddedFile(dataDir);
  refuseTarget(backup, source);
  const draft = `${file}.${randomBytes(6).toString('hex')}.part`;
  onDraft?.(() => removeSqliteFile(draft));
  try {
    // Made here, so that nobody else may read it at any time.
    writeFileSync(draft, '', { flag: 'wx', mode: 0o600 });
    await copySqliteFile({
      from: source,
      to: draft,
      onProgress: (done, total) => onProgress({ step: 'copy', part: done / total }),
    });
    onProgress({ step: 'check', part: 0 });
    await refuseDamage(draft, source);
    refuseEmpty(draft, source);
    refuseTarget(backup, source);
    placeFile(draft, file);
  } catch (error) {
    if (!(error instanceof Error && isUnavailable(error))) throw error;
    const instead = isUnwritable(error)
      ? `. Where nothing can be written to ${dataDir} and nothing uses it, copy the file itself, with its -wal if there is one`
      : '';
    const message = `${source} cannot be copied to ${file}: ${error.message}; no backup was made${instead}`;
    throw new OperatorError(message, { cause: error });
  } finally {
    removeSqliteFile(draft);
  }
  return { bytes: statSync(file).size };
}

function refuseTarget({ dataDir, file, overwrite }: Backup, source: string): void {
  if (file === '' || file.endsWith('/')) {
    throw new OperatorError(`"${file}" is not the name of a file: name the backup itself`);
  }
  // Or nothing could read it.
  driverPath(file);
  if (!existsSync(dirname(file))) {
    throw new OperatorError(`there is no folder ${dirname(file)} to put the backup in`);
  }
  refuseNameOfOurs(file, [
    ...companions.map((suffix) => realpathSync(source) + suffix),
    keyFilePath(dataDir),
  ]);
  const target = statSync(file, { throwIfNoEntry: false });
  if (!target) return;
  const { dev, ino } = statSync(source);
  if (target.dev === dev && target.ino === ino) {
    throw new OperatorError(`${file} is the database itself: name another file`);
  }
  if (!target.isFile()) throw new OperatorError(`${file} is not a file: name one`);
  if (!overwrite) {
    throw new OperatorError(`${file} is there already: name another file, or add --force`);
  }
}

/** The secret key is nowhere else, SQLite would read the backup as its log: also where there is none yet. */
function refuseNameOfOurs(file: string, ours: readonly string[]): void {
  const place = (path: string) => join(realpathSync(dirname(path)), basename(path));
  if (!ours.map(place).includes(place(file))) return;
  throw new OperatorError(`${file} belongs to the installation itself: name another file`);
}

async function refuseDamage(draft: string, source: string): Promise<void> {
  const [problem] = await checkSqliteFile(draft);
  if (problem === undefined) return;
  throw new OperatorError(
    `${source} is damaged, so no backup was made (${problem}): keep the backups you have, and a plain copy of this file`,
  );
}

/** Emptied, or another program's: no restore would take it, and with `--force` it would replace one that is of use. */
function refuseEmpty(draft: string, source: string): void {
  // The first migration makes it.
  if (hasTable(draft, 'wallets')) return;
  throw new OperatorError(
    `${source} holds no installation, so no backup was made: keep the backups you have`,
  );
}
