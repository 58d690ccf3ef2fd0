import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { followLink } from './follow-link.ts';
import { makeFolder } from './make-folder.ts';
import { OperatorError } from './operator-error.ts';
import { masterKeyBytes } from './secret-box.ts';

export interface MasterKeySource {
  /** The option, in base64 or hex; null uses the file. */
  secretKey: string | null;
  dataDir: string;
}

/**
 * The key that seals upstream credentials: the option, or a file in the data directory that only
 * its owner may read and that is made at the first start.
 */
export function loadMasterKey(source: MasterKeySource): Buffer {
  return findMasterKey(source) ?? makeKeyFile(source.dataDir, randomBytes(masterKeyBytes));
}

/** The same key, but one that is made now gets its file only by `keep`: whatever fails before leaves none. */
export function draftMasterKey(source: MasterKeySource): { key: Buffer; keep: () => void } {
  const found = findMasterKey(source);
  if (found) return { key: found, keep: () => {} };
  const key = randomBytes(masterKeyBytes);
  const keep = () => {
    if (makeKeyFile(source.dataDir, key).equals(key)) return;
    const file = keyFilePath(source.dataDir);
    throw new OperatorError(`${file} was made by another process meanwhile: try again`);
  };
  return { key, keep };
}

/** Null where the file is not made yet. */
export function findMasterKey({ secretKey, dataDir }: MasterKeySource): Buffer | null {
  if (secretKey === null) return readKeyFile(keyFilePath(dataDir));
  const key = decodeMasterKey(secretKey);
  if (!key) throw new OperatorError(`TINTYPE_SECRET_KEY must be ${masterKeyForm}`);
  return key;
}

/** Completes "must be …". */
export const masterKeyForm = `${masterKeyBytes} random bytes in base64 or hex (make them with: openssl rand -base64 ${masterKeyBytes})`;

/** Null when the text is not a key in base64 (either alphabet) or hex. */
export function decodeMasterKey(text: string): Buffer | null {
  const trimmed = text.trim();
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return Buffer.from(trimmed, 'hex');
  if (!/^[\w+/-]{43}=?$/.test(trimmed)) return null;
  const key = Buffer.from(trimmed, 'base64');
  return key.length === masterKeyBytes ? key : null;
}

/** Of an installation without the option. */
export function keyFilePath(dataDir: string): string {
  return join(dataDir, 'secret.key');
}

function readKeyFile(file: string): Buffer | null {
  let text: string;
  try {
    refuseReadableByOthers(file);
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) {
      followLink(file);
      return null;
    }
    if (error instanceof OperatorError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`${file} cannot be read: ${reason}`, { cause: error });
  }
  const key = decodeMasterKey(text);
  if (!key) throw new OperatorError(`${file} must hold ${masterKeyForm}`);
  return key;
}

function refuseReadableByOthers(file: string): void {
  // Windows has no such bits; there the folder's own rights decide.
  if (process.platform === 'win32') return;
  if ((statSync(file).mode & 0o077) !== 0) {
    throw new OperatorError(`${file} can be read by others: run chmod 600 ${file}`);
  }
}

/**
 * Written in full under another name first and then linked into place, so that of several processes
 * starting at once one wins and the others read its key, never half of it.
 */
function makeKeyFile(dataDir: string, wanted: Buffer): Buffer {
  makeFolder(dataDir);
  const file = keyFilePath(dataDir);
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    const text = `${wanted.toString('base64')}\n`;
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true });
    chmodSync(draft, 0o600);
    linkSync(draft, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new OperatorError(`${file} cannot be made: ${reason}`, { cause: error });
    }
  } finally {
    rmSync(draft, { force: true });
  }
  const key = readKeyFile(file);
  if (!key) throw new OperatorError(`${file} vanished while it was being made`);
  return key;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
