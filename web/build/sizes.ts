/** How large the built console is, and how large it may be. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { consoleFolder } from './build-console.ts';
import { sharedChunk } from './preloads.ts';

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
  const shared = Object.values(manifest).filter(({ name }) => name === sharedChunk);
  const initial = chunksOf(
    manifest,
    [entry, ...shared].map(({ file }) => file),
  );
  const size = (files: Iterable<string>) => sum([...files].map((file) => sentBytes(folder, file)));
  const closureOf = (source: string) => chunksOf(manifest, [chunkOf(manifest, source)]);
  const pages = Object.entries(manifest).filter(([source]) => /^pages\/.*-page\.tsx$/.test(source));
  const css = new Set(Object.values(manifest).flatMap(({ css = [] }) => css));
  const fonts = Object.values(manifest).flatMap(({ assets = [] }) => assets.filter(isFont));
  return [
    { name: 'initial JavaScript', bytes: size(initial), bytesMax: 200 * kilobyte },
    { name: 'style sheets', bytes: size(css), bytesMax: 25 * kilobyte },
    { name: 'fonts', bytes: size(new Set(fonts)), bytesMax: 50 * kilobyte },
    ...pages.map(([source]) => ({
      name: source,
      bytes: size(without(closureOf(source), initial)),
      bytesMax: 40 * kilobyte,
    })),
    // Of its own: what it shares with the playground is there already.
    {
      name: 'mask editor',
      bytes: size([chunkOf(manifest, maskEditor)]),
      bytesMax: 15 * kilobyte,
    },
    // Beyond what their pages have loaded already. Scales and curves of D3 are most of it.
    ...charts.map(([chart, page]) => ({
      name: chart,
      bytes: size(without(closureOf(chart), [...initial, ...closureOf(page)])),
      bytesMax: 16 * kilobyte,
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

const maskEditor = 'mask/open-mask-editor.tsx';
/** Parts of pages that are loaded after them. */
const charts = [
  ['pages/user/usage/usage-bars.tsx', 'pages/user/usage/usage-page.tsx'],
  ['pages/user/wallet/balance-steps.tsx', 'pages/user/wallet/wallet-page.tsx'],
] as const;

interface Chunk {
  file: string;
  name?: string;
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

function chunkOf(manifest: Manifest, source: string): string {
  const chunk = manifest[source];
  if (!chunk) throw new Error(`${source} is not loaded on its own`);
  return chunk.file;
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

function without(files: Iterable<string>, others: Iterable<string>): readonly string[] {
  const known = new Set(others);
  return [...files].filter((file) => !known.has(file));
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
