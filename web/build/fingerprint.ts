import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the console is built from, besides `node_modules`. */
const sources = ['web', 'shared', 'vite.config.ts', 'package-lock.json'];

/** Changes with every change of what the console is built from; file times say too little. */
export function fingerprint(root: string): string {
  const hash = createHash('sha256');
  for (const path of sources.flatMap((source) => listFiles(root, source))) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  return hash.digest('hex');
}

function listFiles(root: string, path: string): string[] {
  if (/\.\w+$/.test(path)) return /\.test\.tsx?$/.test(path) ? [] : [path];
  return readdirSync(join(root, path))
    .filter((name) => !name.startsWith('.') && !name.startsWith('dist'))
    .sort()
    .flatMap((name) => listFiles(root, `${path}/${name}`));
}
