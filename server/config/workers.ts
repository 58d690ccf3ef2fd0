/** The start options of worker processes: rows of the table in `config.ts`. */
import { availableParallelism } from 'node:os';
import { integer, type OptionType } from '../lib/option-types.ts';
import { defineOption } from '../lib/options.ts';

const workersMax = 64;
const number = integer({ min: 1, max: workersMax });

/** One for each core, or a number. */
const workerCount: OptionType<number> = {
  parse: (text) =>
    text === 'auto' ? Math.min(availableParallelism(), workersMax) : number.parse(text),
  format: String,
  expected: `auto or ${number.expected}`,
};

export const workerOptions = {
  workers: defineOption({
    variable: 'TINTYPE_WORKERS',
    type: workerCount,
    default: 1,
    meaning: 'Number of processes that serve on this machine, up to 64; `auto` for one per core.',
  }),
};
