// @ts-check
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Changes with every change of what something is built from; file times say too little. Tests, hidden files and what
 * was built do not count.
 * @param {string} root the project's folder
 * @param {readonly string[]} sources files and folders in it
 */
export function fingerprint(root, sources) {
  const hash = createHash('sha256');
  for (const path of sources.flatMap((source) => listFiles(root, source))) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  return hash.digest('hex');
}

/**
 * @param {string} root
 * @param {string} path
 * @returns {string[]}
 */
function listFiles(root, path) {
  if (!statSync(join(root, path)).isDirectory()) return /\.test\.tsx?$/.test(path) ? [] : [path];
  return readdirSync(join(root, path))
    .filter((name) => !name.startsWith('.') && !name.startsWith('dist'))
    .sort()
    .flatMap((name) => listFiles(root, `${path}/${name}`));
}
