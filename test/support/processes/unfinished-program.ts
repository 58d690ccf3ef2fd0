/** A program of its own: makes the file that it is told, says so, and never comes to the end of its work. */
import { rmSync, writeFileSync } from 'node:fs';
import { removingUnfinished } from '../../../server/cli/commands/unfinished.ts';
import { must } from '../../../server/lib/assert.ts';

const file = must(process.argv[2], 'a file');
// Whoever started it has gone.
process.stdin.resume().on('end', () => process.exit(1));
await removingUnfinished(async (onDraft) => {
  writeFileSync(file, 'half of it');
  onDraft(() => rmSync(file));
  process.stdout.write('begun\n');
  await new Promise(() => {});
});
