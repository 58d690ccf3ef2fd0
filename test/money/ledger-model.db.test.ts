/**
 * Random histories of a few wallets, one thing after another and several at once, compared with a
 * plain model. `TINTYPE_TEST_RUNS` makes it run longer; a failure prints its seed, which
 * `TINTYPE_TEST_SEED` takes.
 */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../server/db/db.ts';
import { must } from '../../server/lib/assert.ts';
import { forEachEngine } from '../support/databases/databases.ts';
import { violationsOf } from '../support/money/spending.ts';
import { type Command, ledgersAfter } from './interleavings.ts';
import { type Books, booksOf } from './ledger-books.ts';
import type { KeyTerms, Ledger, Terms } from './ledger-model.ts';
import { type Beginning, processesOfWorld, World } from './ledger-world.ts';

const walletsMax = 2;
const apiKeysOfUser = 2;
const requestsMax = 6;
/** Each is a database of its own in the replay. */
const replayedMax = 10;
const { TINTYPE_TEST_RUNS: runsWanted, TINTYPE_TEST_SEED: seedWanted } = process.env;
const runs = { races: Number(runsWanted ?? 25), replays: Math.ceil(Number(runsWanted ?? 25) / 25) };
const patience = 60_000 + runs.races * 2_000;

const request = fc.nat(requestsMax - 1);
const wallet = fc.nat(walletsMax - 1);
const images = fc.integer({ min: 1, max: 4 });
/** Whole cents, and what no decimal of two places can say. */
const price = fc.constantFrom(100_000, 1, 333_333);

const terms: fc.Arbitrary<Terms> = fc.record({
  wallet,
  process: fc.nat(processesOfWorld - 1),
  apiKey: fc.nat(apiKeysOfUser - 1),
  idempotencyKey: fc.constantFrom(null, null, 'first', 'second'),
  images,
  price,
});

const keyTerms: fc.Arbitrary<KeyTerms> = fc.record({
  slotsMax: fc.constantFrom(null, null, 1, 2),
  spendMax: fc.constantFrom(null, null, 300_000, 800_000),
});

const beginning: fc.Arbitrary<Beginning> = fc.record({
  money: arrayOf(fc.integer({ min: 1, max: 3_000_000 }), walletsMax),
  apiKeys: arrayOf(arrayOf(keyTerms, apiKeysOfUser), walletsMax),
  requests: arrayOf(terms, requestsMax),
});

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('admit'), request }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('settle'), request, images }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('release', 'return', 'claim', 'deliver'),
      request,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('refund'),
      request,
      amount: fc.option(fc.integer({ min: 0, max: 400_000 })),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('top_up'), wallet, amount: fc.nat(500_000) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('adjustment'),
      wallet,
      amount: fc.integer({ min: -800_000, max: 500_000 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('die', 'live'),
      process: fc.nat(processesOfWorld - 1),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('sweep') }) },
);

/** What happens at the same time: mostly one thing, else one thing several times, or several. */
const together = (each: fc.Arbitrary<Command>): fc.Arbitrary<Command[]> =>
  fc.oneof(
    { weight: 3, arbitrary: each.map((one) => [one]) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(each, fc.integer({ min: 2, max: 4 }))
        .map(([one, times]) => Array.from({ length: times }, () => one)),
    },
    { weight: 2, arbitrary: fc.array(command, { minLength: 2, maxLength: 4 }) },
  );

/** The way of most requests, so that not everything happens to requests that have ended already. */
const life: fc.Arbitrary<Command[][]> = request.chain((number) => {
  const one = (kind: 'admit' | 'release' | 'return' | 'claim' | 'deliver') =>
    together(fc.constant({ kind, request: number }));
  const settle = together(
    images.map((count) => ({ kind: 'settle', request: number, images: count })),
  );
  const refund = together(fc.constant({ kind: 'refund', request: number, amount: null }));
  return fc.oneof(
    fc.tuple(one('admit'), one('release')),
    fc.tuple(one('admit'), settle, one('return'), one('return')),
    fc.tuple(one('admit'), settle, one('claim'), one('return')),
    fc.tuple(one('admit'), settle, one('deliver'), refund, refund),
  );
});

const history: fc.Arbitrary<Command[][]> = fc
  .array(
    fc.oneof(
      together(command).map((each) => [each]),
      life,
    ),
    { minLength: 3, maxLength: 12 },
  )
  .map((parts) => parts.flat());

forEachEngine((engine) => {
  let database: Database;
  let handles: readonly Database[];
  beforeAll(async () => {
    database = await engine.open();
    handles = [database, engine.openAgain(database)];
  });

  it(
    'does what the model does in some order, whatever happens at the same time',
    async () => {
      await check(
        fc.asyncProperty(beginning, history, async (begun, batches) => {
          const world = await World.open(handles, begun);
          try {
            let ledgers: readonly Ledger[] = [ledgerOf(begun)];
            for (const commands of batches) ledgers = await runBatch(world, ledgers, commands);
            await endHistory(world, ledgers);
            const books = await world.books();
            expectBalancesToAddUp(books);
            expect(books.wallets.map(({ held, inFlight }) => held + inFlight)).toEqual([0, 0]);
            expect(await violationsOf(database)).toEqual([]);
          } finally {
            await world.end();
          }
        }),
        runs.races,
      );
    },
    patience,
  );

  describe('cut anywhere', () => {
    it(
      'a history that is done again on an empty database leaves the same books',
      async () => {
        await check(
          fc.asyncProperty(beginning, history, async (begun, batches) => {
            const commands = batches.flat().slice(0, replayedMax);
            const whole = await booksAlong(await engine.open(), begun, commands);
            for (const [cut, expected] of whole.entries()) {
              const along = await booksAlong(await engine.open(), begun, commands.slice(0, cut));
              expect([cut, along.at(-1)]).toEqual([cut, expected]);
            }
          }),
          runs.replays,
        );
      },
      patience,
    );
  });
});

function arrayOf<T>(each: fc.Arbitrary<T>, length: number): fc.Arbitrary<T[]> {
  return fc.array(each, { minLength: length, maxLength: length });
}

/** Runs the property; a failure names the seed, also when it is time that ran out. */
function check<T>(property: fc.IAsyncProperty<T>, numRuns: number): Promise<void> {
  return fc.assert(property, {
    numRuns,
    interruptAfterTimeLimit: patience - 20_000,
    markInterruptAsFailure: true,
    ...(seedWanted && { seed: Number(seedWanted) }),
  });
}

function ledgerOf({ money, requests, apiKeys }: Beginning): Ledger {
  return {
    wallets: money.map((amount) => [{ kind: 'top_up', amount, balance: amount, request: null }]),
    apiKeys,
    requests: requests.map((each) => ({
      ...each,
      state: 'new',
      cost: 0,
      claimed: false,
      delivered: false,
      refunded: 0,
      refundedBy: null,
    })),
    living: Array.from({ length: processesOfWorld }, () => true),
  };
}

/**
 * Runs the commands at the same time; answers with what the model's ledger may be after them. That
 * can be several: whether a process lives is in no book.
 */
async function runBatch(
  world: World,
  before: readonly Ledger[],
  commands: readonly Command[],
): Promise<Ledger[]> {
  const answers = await world.happenTogether(commands);
  const ran = commands.map((each, index) => ({
    command: each,
    answer: must(answers[index], 'an answer'),
  }));
  const books = await world.books();
  const possible = ledgersAfter(before, ran);
  const found = possible.filter((ledger) => isSame(booksOf(ledger), books));
  if (found.length > 0) return found;
  // Shows what is different from one possible order, or from what was before when there is none.
  const [nearest] = possible;
  expect({ ran, books }).toEqual({
    ran: nearest ? ran : 'answers that some order explains',
    books: booksOf(nearest ?? must(before[0], 'a ledger')),
  });
  throw new Error('broken expectation: the comparison above fails');
}

/** Every process dies and is swept up after: nothing may stay held. */
async function endHistory(world: World, before: readonly Ledger[]): Promise<void> {
  let ledgers = before;
  for (let process = 0; process < processesOfWorld; process++) {
    ledgers = await runBatch(world, ledgers, [{ kind: 'die', process }]);
  }
  await runBatch(world, ledgers, [{ kind: 'sweep' }]);
}

function expectBalancesToAddUp({ wallets }: Books): void {
  for (const { balance, entries } of wallets) {
    let sum = 0;
    for (const entry of entries) expect(entry.balance).toBe((sum += entry.amount));
    expect(balance).toBe(sum);
  }
}

/** The books before the first command and after each; what the last one leaves is swept, and must add up. */
async function booksAlong(
  database: Database,
  begun: Beginning,
  commands: readonly Command[],
): Promise<Books[]> {
  const world = await World.open([database], begun);
  const along = [await world.books()];
  for (const each of commands) {
    await world.happenTogether([each]);
    along.push(await world.books());
  }
  // A history may end with a dead process's hold; by the world's clock that is long overdue.
  await world.end();
  expect(await violationsOf(database)).toEqual([]);
  await database.close();
  return along;
}

function isSame(a: Books, b: Books): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
