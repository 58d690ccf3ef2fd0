/** Requests that all wait at once for an upstream that takes its time. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Child, startChild } from './children.ts';
import type { ServedCase } from './installation.ts';

export const heldCase: Omit<ServedCase, 'baseUrl'> = {
  name: 'held',
  kind: 'openai-images',
  settings: {},
};

const holdMs = 20_000;
const answerCharacters = 50_000;
const program = fileURLToPath(new URL('./held-upstream.ts', import.meta.url));

export function startHeldUpstream(port: number, folder: string): Child {
  return startChild({
    command: process.execPath,
    args: [program, String(port), String(holdMs), String(answerCharacters)],
    place: 'load',
    logFile: join(folder, 'held-upstream.log'),
  });
}
