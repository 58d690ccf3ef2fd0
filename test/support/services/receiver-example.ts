/** The code that docs/operating.md gives to receivers of notices, taken from there and run. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { must } from '../../../server/lib/assert.ts';
import { makeScratchFolder } from '../scratch.ts';

export interface ReceiverExample {
  isFromTintype: (request: {
    body: string;
    signature: string | undefined;
    secret: string;
    nowSeconds?: number;
  }) => boolean;
}

export async function loadReceiverExample(): Promise<ReceiverExample> {
  const manual = readFileSync(new URL('../../../docs/operating.md', import.meta.url), 'utf8');
  const section = must(manual.split('\n## Notices\n')[1], 'the section "Notices"');
  const code = must(/```js\n([\s\S]*?)```/.exec(section)?.[1], 'its example');
  const folder = makeScratchFolder('example');
  const file = join(folder, 'receiver.mjs');
  writeFileSync(file, code);
  try {
    // The example exports this one function; its test would fail otherwise.
    return (await import(/* @vite-ignore */ pathToFileURL(file).href)) as ReceiverExample;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
