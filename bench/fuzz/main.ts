/** `npm run fuzz`: see `options.ts` for what it takes, `fuzz.ts` for what it does. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../run-program.ts';
import { runFuzz } from './fuzz.ts';
import { helpText, type Options, readOptions } from './options.ts';

await runProgram({ helpText, readOptions, run: fuzz });

async function fuzz(options: Options): Promise<number> {
  console.log(`Fuzzing ${options.sides.join(' and ')} with --seed ${options.seed}`);
  const folder = mkdtempSync(join(tmpdir(), 'tintype-fuzz-'));
  try {
    const { rounds, cases, memoryBytesPeak, findings } = await runFuzz({
      ...options,
      folder,
      onProgress: ({ round, cases, memoryBytes }) => {
        if (round % 25 === 0)
          console.log(`  round ${round}   ${cases} cases   ${mebibytes(memoryBytes)}`);
      },
    });
    console.log(
      `${rounds} rounds, ${cases} cases, ${mebibytes(memoryBytesPeak)} of memory at most`,
    );
    for (const finding of findings) console.log(`  FOUND ${finding}`);
    if (findings.length === 0) {
      console.log('Every good request worked, the books agree, and nothing was left behind.');
      return 0;
    }
    console.log(`${findings.length} findings. The same again: --seed ${options.seed}`);
    return 1;
  } finally {
    if (options.keep) console.log(`kept ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
  }
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 1024 ** 2)} MiB`;
}
