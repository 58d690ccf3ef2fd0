/** The built console, read into memory at start: what is not in here cannot be asked for. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { must } from '../../lib/assert.ts';

export interface ConsoleFile {
  contentType: string;
  etag: string;
  /** Its name changes with its content. */
  isHashed: boolean;
  plain: Buffer;
  brotli: Buffer | null;
  gzip: Buffer | null;
}

export interface ConsoleFiles {
  /** The one page of which all others are made. */
  page: ConsoleFile;
  /** Addresses of pages besides those that every build has. */
  extraPages: readonly string[];
  /** By address: `/assets/…`. */
  files: ReadonlyMap<string, ConsoleFile>;
}

/** Null when the console is not built. */
export function readConsoleFiles(folder: string): ConsoleFiles | null {
  const listFile = join(folder, 'files.json');
  if (!existsSync(listFile)) return null;
  // Written by the build, in this form.
  const { files: names, extraPages } = JSON.parse(readFileSync(listFile, 'utf8')) as FileList;
  const read = (name: string) => readFile(folder, name, names);
  const files = names
    .filter((name) => !isTwin(name) && name !== pageName)
    .map((name) => [`/${name}`, read(name)] as const);
  return { page: read(pageName), extraPages, files: new Map(files) };
}

interface FileList {
  files: readonly string[];
  extraPages: readonly string[];
}

const pageName = 'index.html';

/** What browsers are told; a build with another kind of file fails here, at start. */
const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

function readFile(folder: string, name: string, names: readonly string[]): ConsoleFile {
  const twin = (suffix: string) =>
    names.includes(`${name}${suffix}`) ? readFileSync(join(folder, `${name}${suffix}`)) : null;
  const plain = readFileSync(join(folder, name));
  return {
    contentType: must(contentTypes[extname(name)], `the content type of ${name}`),
    etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
    isHashed: /-[\w-]{8}\.\w+$/.test(name),
    plain,
    brotli: twin('.br'),
    gzip: twin('.gz'),
  };
}

function isTwin(name: string): boolean {
  return /\.(br|gz)$/.test(name);
}
