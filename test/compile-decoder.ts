/** Makes `server/lib/pictures/decode-base64.wasm` anew from its text beside it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { compileWat } from './support/processes/compile-wat.ts';

const text = new URL('../server/lib/pictures/decode-base64.wat', import.meta.url);
const code = new URL('../server/lib/pictures/decode-base64.wasm', import.meta.url);
writeFileSync(code, await compileWat(readFileSync(text, 'utf8')));
