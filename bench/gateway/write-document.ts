/** Puts what was measured into docs/performance.md, between its markers. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const file = fileURLToPath(new URL('../../docs/performance.md', import.meta.url));

export function writeDocument(measured: string): void {
  writeFileSync(file, withMeasured(readFileSync(file, 'utf8'), measured));
}

/** Throws where the markers are missing. */
export function withMeasured(document: string, measured: string): string {
  const markers = /(<!-- measured: begin -->\n).*?(<!-- measured: end -->)/s;
  if (!markers.test(document)) throw new Error('docs/performance.md has no markers for results');
  return document.replace(
    markers,
    (_all, begin: string, end: string) => `${begin}${measured}\n${end}`,
  );
}
