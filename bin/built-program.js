// @ts-check
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fingerprint } from './fingerprint.js';

export const projectRoot = dirname(dirname(fileURLToPath(import.meta.url)));

/** Where `npm run build` leaves the program, in few files instead of a thousand. */
export const programFolder = join(projectRoot, 'server', 'dist');
/** In that folder: what it was built from, as `programFingerprint` says it. */
export const fingerprintName = 'fingerprint';

/** The lockfile stands for the packages, of which some are built in. */
const sources = ['server', 'shared', 'web/build', 'package-lock.json'];

export function programFingerprint() {
  return fingerprint(projectRoot, sources);
}

/** Whether a built program is there and is that of these sources. */
export function isProgramBuilt() {
  try {
    const builtFrom = readFileSync(join(programFolder, fingerprintName), 'utf8');
    return builtFrom === programFingerprint();
  } catch {
    // What is not there, or cannot be read whole, is not it.
    return false;
  }
}
