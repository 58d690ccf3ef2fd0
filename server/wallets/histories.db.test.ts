/** Random histories of one wallet, compared step by step with a model of a few lines. */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { forEachEngine } from '../../test/support/databases.ts';
import {
  addSpender,
  admissionOf,
  settlementOf,
  startProcess,
  violationsOf,
} from '../../test/support/spending.ts';
import { testAdmin } from '../../test/support/test-admin.ts';
import { addAmounts, type Amount, amountFromMicros, multiplyAmount, zero } from '../../shared/money.ts';
import type { Database } from '../db/db.ts';
import { adjustWallet } from '../flows/adjust-wallet.ts';
import { admit, release, settle } from '../flows/hold-money.ts';
import { refundOwn } from '../flows/refund-undelivered.ts';
import { sweepHolds } from '../flows/sweep-holds.ts';
import { must } from '../lib/assert.ts';
import { systemClock } from '../lib/clock.ts';
import { makeId } from '../lib/ids.ts';
import { markDelivered } from './lease-store.ts';
import { readWallet } from './wallet-store.ts';

const price = amountFromMicros(100_000);
const slotsMax = 3;
const historiesMax = 40;

/** What happens to the request numbered `request`; the numbers repeat, so that much happens twice. */
const event = fc.oneof(
  fc.record({
    kind: fc.constantFrom('admit', 'settle'),
    request: fc.nat(4),
    images: fc.integer({ min: 1, max: 4 }),
  }),
  fc.record({ kind: fc.constantFrom('release', 'return', 'deliver'), request: fc.nat(4) }),
  fc.record({ kind: fc.constantFrom('die', 'live', 'sweep') }),
  fc.record({ kind: fc.constant('adjust'), micros: fc.integer({ min: -500_000, max: 500_000 }) }),
);
type Event = { kind: string; request?: number; images?: number; micros?: number };

interface ModelHold {
  state: 'open' | 'settled' | 'ended';
  images: number;
  cost: Amount;
  delivered: boolean;
}

/** What a wallet must do, without a database. Each method answers whether anything happened. */
class Model {
  balance = amountFromMicros(1_000_000);
  alive = true;
  readonly holds = new Map<number, ModelHold>();

  get open(): readonly ModelHold[] {
    return [...this.holds.values()].filter(({ state }) => state === 'open');
  }

  get held(): Amount {
    return this.open.map(({ images }) => multiplyAmount(price, images)).reduce(addAmounts, zero);
  }

  admit(request: number, images: number): boolean {
    const needed = multiplyAmount(price, images);
    const fits = this.open.length < slotsMax && this.balance - this.held >= needed;
    if (!fits || this.holds.has(request)) return false;
    this.holds.set(request, { state: 'open', images, cost: zero, delivered: false });
    return true;
  }

  settle(request: number, images: number): boolean {
    const hold = this.holds.get(request);
    if (hold?.state !== 'open' || images > hold.images) return false;
    Object.assign(hold, { state: 'settled', cost: multiplyAmount(price, images) });
    this.balance = amountFromMicros(this.balance - hold.cost);
    return true;
  }

  release(request: number): boolean {
    const hold = this.holds.get(request);
    if (hold?.state !== 'open') return false;
    hold.state = 'ended';
    return true;
  }

  giveBack(request: number): boolean {
    const hold = this.holds.get(request);
    if (hold?.state !== 'settled' || hold.delivered) return false;
    hold.state = 'ended';
    this.balance = addAmounts(this.balance, hold.cost);
    return true;
  }

  deliver(request: number): void {
    const hold = this.holds.get(request);
    if (hold?.state === 'settled') hold.delivered = true;
  }

  sweep(): void {
    if (this.alive) return;
    for (const request of this.holds.keys()) this.release(request) || this.giveBack(request);
  }

  adjust(micros: number): boolean {
    if (micros === 0 || this.balance + micros < this.held) return false;
    this.balance = amountFromMicros(this.balance + micros);
    return true;
  }
}

forEachEngine((engine) => {
  let database: Database;
  beforeAll(async () => {
    database = await engine.open();
  });

  it('does what the model does, whatever happens in whatever order', async () => {
    const history = fc.array(event, { minLength: 10, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(history, async (events) => {
        const wallet = await openRealWallet(database);
        const model = new Model();
        for (const each of events) {
          expect([each, await wallet.happen(each)]).toEqual([each, happenTo(model, each)]);
          expect(await wallet.state()).toEqual({
            balance: model.balance,
            held: model.held,
            inFlight: model.open.length,
          });
        }
        await wallet.end();
      }),
      { numRuns: historiesMax },
    );
    expect(await violationsOf(database)).toEqual([]);
  });
});

function happenTo(model: Model, { kind, request = 0, images = 1, micros = 0 }: Event) {
  switch (kind) {
    case 'admit':
      return model.admit(request, images);
    case 'settle':
      return model.settle(request, images);
    case 'release':
      return model.release(request);
    case 'return':
      return model.giveBack(request);
    case 'deliver':
      return model.deliver(request);
    case 'adjust':
      return model.adjust(micros);
    case 'sweep':
      return model.sweep();
    default:
      model.alive = kind === 'live';
      return undefined;
  }
}

async function openRealWallet(database: Database) {
  const spender = await addSpender(database, '1.00');
  const process = await startProcess(database);
  const admin = testAdmin(database, 'random history');
  const traceIds = Array.from({ length: 5 }, () => makeId('tr', systemClock.now()));
  const happen = async ({ kind, request = 0, images = 1, micros = 0 }: Event) => {
    const traceId = must(traceIds[request], 'a trace ID');
    switch (kind) {
      case 'admit': {
        const terms = { traceId, images, unitPrice: price, processId: process.id, slotsMax };
        // A trace ID is used once; here it is used again on purpose, and refused as a duplicate.
        const admission = admit(database, systemClock, admissionOf(spender, terms));
        return admission.then(
          (outcome) => outcome.kind === 'admitted',
          () => false,
        );
      }
      case 'settle':
        return (await settle(database, systemClock, settlementOf(traceId, images, price))) !== null;
      case 'release': {
        const ending = { traceId, status: 'failed', code: 'upstream_error', attempts: '[]' } as const;
        return release(database, systemClock, ending);
      }
      case 'return':
        return refundOwn(database, systemClock, { traceId, code: 'client_gone' });
      case 'deliver':
        return database.transaction((trx) => markDelivered(trx, [traceId], systemClock.now()));
      case 'adjust': {
        const adjustment = { user: spender.userId, amount: amountFromMicros(micros) };
        return adjustWallet(admin, adjustment).then(
          () => true,
          () => false,
        );
      }
      case 'sweep':
        await sweepHolds(database, systemClock);
        return undefined;
      default:
        await (kind === 'live' ? process.live() : process.die());
        return undefined;
    }
  };
  return {
    happen,
    state: async () => {
      const { balance, held, inFlight } = must(
        await readWallet(database, spender.userId),
        'a wallet',
      );
      return { balance, held, inFlight };
    },
    end: async () => {
      await process.die();
      await sweepHolds(database, systemClock);
    },
  };
}
