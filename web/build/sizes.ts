/** How large the built console is, and how large it may be. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { consoleFolder } from './build-console.ts';

export interface SizeBudget {
  name: string;
  bytes: number;
  bytesMax: number;
}

const kilobyte = 1024;

/** What the first paint of a page needs, each page's own, and what both themes and languages share. */
export function measureSizes(folder = consoleFolder): readonly SizeBudget[] {
  const manifest = readManifest(folder);
  const entry = Object.values(manifest).find(({ isEntry }) => isEntry);
  if (!entry) throw new Error('the build has no entry');
  const initial = chunksOf(manifest, [entry.file]);
  const size = (files: Iterable<string>) => sum([...files].map((file) => sentBytes(folder, file)));
  const pages = Object.entries(manifest).filter(([source]) => source.startsWith('pages/'));
  const css = new Set(Object.values(manifest).flatMap(({ css = [] }) => css));
  const fonts = Object.values(manifest).flatMap(({ assets = [] }) => assets.filter(isFont));
  return [
    { name: 'initial JavaScript', bytes: size(initial), bytesMax: 200 * kilobyte },
    { name: 'style sheets', bytes: size(css), bytesMax: 25 * kilobyte },
    { name: 'fonts', bytes: size(new Set(fonts)), bytesMax: 50 * kilobyte },
    ...pages.map(([source, { file }]) => ({
      name: source,
      bytes: size([...chunksOf(manifest, [file])].filter((each) => !initial.has(each))),
      bytesMax: 40 * kilobyte,
    })),
  ];
}

export function describeSizes(folder = consoleFolder): string {
  const lines = measureSizes(folder).map(({ name, bytes, bytesMax }) => {
    const mark = bytes > bytesMax ? '  TOO LARGE' : '';
    return `${(bytes / kilobyte).toFixed(1).padStart(7)} of ${bytesMax / kilobyte} KB  ${name}${mark}`;
  });
  return `${lines.join('\n')}\n`;
}

interface Chunk {
  file: string;
  isEntry?: boolean;
  imports?: readonly string[];
  css?: readonly string[];
  assets?: readonly string[];
}

type Manifest = Readonly<Record<string, Chunk>>;

function readManifest(folder: string): Manifest {
  // Written by Vite in this form.
  return JSON.parse(readFileSync(join(folder, '.vite', 'manifest.json'), 'utf8')) as Manifest;
}

/** The files, and everything that they import statically. */
function chunksOf(manifest: Manifest, files: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const queue = [...files];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    const chunk = Object.values(manifest).find((each) => each.file === file);
    for (const name of chunk?.imports ?? []) {
      const imported = manifest[name];
      if (imported) queue.push(imported.file);
    }
  }
  return found;
}

/** As browsers get it: compressed where there is a twin. */
function sentBytes(folder: string, file: string): number {
  const compressed = statSync(join(folder, `${file}.br`), { throwIfNoEntry: false });
  return (compressed ?? statSync(join(folder, file))).size;
}

function isFont(file: string): boolean {
  return file.endsWith('.woff2');
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
