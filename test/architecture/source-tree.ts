import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { blank } from './blank.ts';

/** The repository's files, as the rules see them. */
export type SourceTree = readonly SourceFile[];

export interface SourceFile {
  /** From the root of the repository, with forward slashes. */
  path: string;
  text: string;
  /** Without comments; empty for what is not TypeScript or JavaScript. */
  withoutComments: string;
  /** Without comments and the contents of strings. */
  codeOnly: string;
  imports: readonly Import[];
}

export interface Import {
  line: number;
  /** As written: `./a.ts`, `node:fs`, `kysely`. */
  specifier: string;
  /** The path it leads to, for our own files; null for packages. */
  target: string | null;
}

/** `.git` is a file where the repository has several working trees. */
const ignored = new Set([
  'node_modules',
  '.git',
  '.run-samples',
  '.tintype',
  'coverage',
  'data',
  'dist',
  'dist-kit',
  'test-results',
]);
/** Their names count, not what is in them. */
const binaryOrGenerated =
  /\.(png|jpe?g|webp|gif|ico|ttf|woff2?|db|bin|gz)$|(^|\/)package-lock\.json$/;

export function readTree(root: string): SourceTree {
  return listFiles(root, '').map((path) => {
    const text = binaryOrGenerated.test(path) ? '' : readFileSync(join(root, path), 'utf8');
    return makeFile(path, text);
  });
}

/** A tree of samples, for the tests of the rules. */
export function treeOf(texts: Readonly<Record<string, string>>): SourceTree {
  return Object.entries(texts).map(([path, text]) => makeFile(path, text));
}

export function isCode(path: string): boolean {
  return /\.(ts|tsx|js|mjs)$/.test(path);
}

export function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || /^(test|bench)\//.test(path);
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

function listFiles(root: string, folder: string): string[] {
  const names = readdirSync(join(root, folder)).filter((name) => !ignored.has(name));
  return names.flatMap((name) => {
    const path = posix.join(folder, name);
    const stats = statSync(join(root, path), { throwIfNoEntry: false });
    if (!stats) return [];
    if (stats.isDirectory()) return listFiles(root, path);
    return stats.isFile() ? [path] : [];
  });
}

function makeFile(path: string, text: string): SourceFile {
  if (!isCode(path)) return { path, text, withoutComments: '', codeOnly: '', imports: [] };
  const { withoutComments, codeOnly } = blank(text);
  return {
    path,
    text,
    withoutComments,
    codeOnly,
    imports: readImports(path, withoutComments, codeOnly),
  };
}

const importForms = [
  // import … from '…' and export … from '…'
  /(?<![.\w$])(?:import|export)\b[^;'"()=]*?\bfrom\s*(?=['"])/g,
  // import '…'
  /(?<![.\w$])import\s*(?=['"])/g,
  // import('…'), also as a type
  /(?<![.\w$])import\s*\(\s*(?=['"])/g,
  // new URL('…', import.meta.url) names a file as well
  /\bnew URL\(\s*(?=['"][^'"]*['"]\s*,\s*import\.meta\.url)/g,
];

function readImports(path: string, withoutComments: string, codeOnly: string): Import[] {
  return importForms.flatMap((form) =>
    [...codeOnly.matchAll(form)].map((match) => {
      const start = match.index + match[0].length + 1;
      const specifier = withoutComments.slice(start, codeOnly.slice(start).search(/['"]/) + start);
      const ours = specifier.startsWith('.') && !/^[./]+$/.test(specifier);
      return {
        line: lineAt(codeOnly, match.index),
        specifier,
        target: ours ? posix.join(posix.dirname(path), specifier) : null,
      };
    }),
  );
}
