import { readFileSync } from 'node:fs';

/** Of this very code, from its package.json. */
export const version = readVersion();

function readVersion(): string {
  const file = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  // The file is part of this package.
  return (JSON.parse(file) as { version: string }).version;
}
