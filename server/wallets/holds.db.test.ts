/** The state machine of a hold, as a table: each row is an event and what came of it. */
import { beforeAll, describe, expect, it } from 'vitest';
import { formatAmount } from '../../shared/money.ts';
import { forEachEngine } from '../../test/support/databases/databases.ts';
import {
  addSpender,
  admissionOf,
  forgetProcess,
  settlementOf,
  startProcess,
  violationsOf,
  walletOf,
} from '../../test/support/money/spending.ts';
import type { Database } from '../db/db.ts';
import { endAbandoned } from '../flows/installation/end-abandoned.ts';
import { admit, release, settle } from '../flows/money/hold-money.ts';
import { refundOwn } from '../flows/money/refund-undelivered.ts';
import { sweepHolds } from '../flows/money/sweep-holds.ts';
import { must } from '../lib/assert.ts';
import { systemClock } from '../lib/clock.ts';
import { makeId } from '../lib/ids.ts';
import { claimDelivery, markDelivered, readHold } from './delivery-store.ts';

/**
 * Each wallet starts with 1.00 and has 3 slots; a picture costs 0.10.
 *
 *     admit a 4     request a asks for 4 pictures
 *     settle a 3    3 of them are delivered
 *     release a     it failed
 *     deliver a     its answer was handed over
 *     return a      its process gives the charge back
 *     claim a 1     its process, in doubt about its lease, takes the delivery for a minute
 *     die, live     the process lets its lease run out, or takes it again
 *     vanish        it is known to be gone
 *     copy          the installation is a copy, in which no process runs
 *     sweep         another process sweeps
 */
type Row = [event: string, outcome: string, wallet: string];

const histories: Record<string, readonly Row[]> = {
  'a picture is made and taken': [
    ['admit a 1', 'admitted', '1.00 balance, 0.10 held, 1 slots'],
    ['settle a 1', 'charged 0.10', '0.90 balance, 0.00 held, 0 slots'],
    ['deliver a', 'settled', '0.90 balance, 0.00 held, 0 slots'],
  ],
  'fewer pictures come than were asked for': [
    ['admit a 4', 'admitted', '1.00 balance, 0.40 held, 1 slots'],
    ['settle a 3', 'charged 0.30', '0.70 balance, 0.00 held, 0 slots'],
  ],
  'a failure costs nothing': [
    ['admit a 4', 'admitted', '1.00 balance, 0.40 held, 1 slots'],
    ['release a', 'released', '1.00 balance, 0.00 held, 0 slots'],
  ],
  'a hold is settled once': [
    ['admit a 1', 'admitted', '1.00 balance, 0.10 held, 1 slots'],
    ['settle a 1', 'charged 0.10', '0.90 balance, 0.00 held, 0 slots'],
    ['settle a 1', 'nothing', '0.90 balance, 0.00 held, 0 slots'],
    ['release a', 'nothing', '0.90 balance, 0.00 held, 0 slots'],
  ],
  'a hold is released once': [
    ['admit a 1', 'admitted', '1.00 balance, 0.10 held, 1 slots'],
    ['release a', 'released', '1.00 balance, 0.00 held, 0 slots'],
    ['release a', 'nothing', '1.00 balance, 0.00 held, 0 slots'],
    ['settle a 1', 'nothing', '1.00 balance, 0.00 held, 0 slots'],
  ],
  'what was never admitted has no ending': [
    ['settle a 1', 'nothing', '1.00 balance, 0.00 held, 0 slots'],
    ['release a', 'nothing', '1.00 balance, 0.00 held, 0 slots'],
    ['return a', 'nothing', '1.00 balance, 0.00 held, 0 slots'],
    ['deliver a', 'missing', '1.00 balance, 0.00 held, 0 slots'],
  ],
  'a charge is never more than the hold': [
    ['admit a 2', 'admitted', '1.00 balance, 0.20 held, 1 slots'],
    ['settle a 3', 'nothing', '1.00 balance, 0.20 held, 1 slots'],
    ['settle a 2', 'charged 0.20', '0.80 balance, 0.00 held, 0 slots'],
  ],
  'holds share one balance': [
    ['admit a 6', 'admitted', '1.00 balance, 0.60 held, 1 slots'],
    ['admit b 5', 'no_money', '1.00 balance, 0.60 held, 1 slots'],
    ['admit c 4', 'admitted', '1.00 balance, 1.00 held, 2 slots'],
    ['admit d 1', 'no_money', '1.00 balance, 1.00 held, 2 slots'],
    ['settle a 2', 'charged 0.20', '0.80 balance, 0.40 held, 1 slots'],
    ['admit e 4', 'admitted', '0.80 balance, 0.80 held, 2 slots'],
    ['release c', 'released', '0.80 balance, 0.40 held, 1 slots'],
    ['settle e 4', 'charged 0.40', '0.40 balance, 0.00 held, 0 slots'],
  ],
  'the last micro can be spent': [
    ['admit a 10', 'admitted', '1.00 balance, 1.00 held, 1 slots'],
    ['settle a 10', 'charged 1.00', '0.00 balance, 0.00 held, 0 slots'],
    ['admit b 1', 'no_money', '0.00 balance, 0.00 held, 0 slots'],
  ],
  'slots come before money': [
    ['admit a 1', 'admitted', '1.00 balance, 0.10 held, 1 slots'],
    ['admit b 1', 'admitted', '1.00 balance, 0.20 held, 2 slots'],
    ['admit c 1', 'admitted', '1.00 balance, 0.30 held, 3 slots'],
    ['admit d 1', 'no_slot', '1.00 balance, 0.30 held, 3 slots'],
    ['admit e 99', 'no_slot', '1.00 balance, 0.30 held, 3 slots'],
    ['release b', 'released', '1.00 balance, 0.20 held, 2 slots'],
    ['admit f 99', 'no_money', '1.00 balance, 0.20 held, 2 slots'],
    ['admit d 1', 'admitted', '1.00 balance, 0.30 held, 3 slots'],
  ],
  'a living process keeps its holds': [
    ['admit a 1', 'admitted', '1.00 balance, 0.10 held, 1 slots'],
    ['sweep', 'expired 0, refunded 0', '1.00 balance, 0.10 held, 1 slots'],
    ['settle a 1', 'charged 0.10', '0.90 balance, 0.00 held, 0 slots'],
    ['sweep', 'expired 0, refunded 0', '0.90 balance, 0.00 held, 0 slots'],
  ],
  'a dead process loses its holds': [
    ['admit a 1', 'admitted', '1.00 balance, 0.10 held, 1 slots'],
    ['admit b 2', 'admitted', '1.00 balance, 0.30 held, 2 slots'],
    ['die', '', '1.00 balance, 0.30 held, 2 slots'],
    ['sweep', 'expired 2, refunded 0', '1.00 balance, 0.00 held, 0 slots'],
    ['sweep', 'expired 0, refunded 0', '1.00 balance, 0.00 held, 0 slots'],
  ],
  'a hold that expired is neither settled nor released': [
    ['admit a 1', 'admitted', '1.00 balance, 0.10 held, 1 slots'],
    ['die', '', '1.00 balance, 0.10 held, 1 slots'],
    ['sweep', 'expired 1, refunded 0', '1.00 balance, 0.00 held, 0 slots'],
    ['live', '', '1.00 balance, 0.00 held, 0 slots'],
    ['settle a 1', 'nothing', '1.00 balance, 0.00 held, 0 slots'],
    ['release a', 'nothing', '1.00 balance, 0.00 held, 0 slots'],
    ['return a', 'nothing', '1.00 balance, 0.00 held, 0 slots'],
  ],
  'a process that was only slow keeps what nobody has swept': [
    ['admit a 1', 'admitted', '1.00 balance, 0.10 held, 1 slots'],
    ['die', '', '1.00 balance, 0.10 held, 1 slots'],
    ['live', '', '1.00 balance, 0.10 held, 1 slots'],
    ['sweep', 'expired 0, refunded 0', '1.00 balance, 0.10 held, 1 slots'],
    ['settle a 1', 'charged 0.10', '0.90 balance, 0.00 held, 0 slots'],
  ],
  'a charge whose answer died with its process is returned, once': [
    ['admit a 2', 'admitted', '1.00 balance, 0.20 held, 1 slots'],
    ['settle a 2', 'charged 0.20', '0.80 balance, 0.00 held, 0 slots'],
    ['die', '', '0.80 balance, 0.00 held, 0 slots'],
    ['sweep', 'expired 0, refunded 1', '1.00 balance, 0.00 held, 0 slots'],
    ['sweep', 'expired 0, refunded 0', '1.00 balance, 0.00 held, 0 slots'],
    ['return a', 'nothing', '1.00 balance, 0.00 held, 0 slots'],
    ['deliver a', 'settled, refunded', '1.00 balance, 0.00 held, 0 slots'],
  ],
  'a charge whose answer was handed over stays': [
    ['admit a 1', 'admitted', '1.00 balance, 0.10 held, 1 slots'],
    ['settle a 1', 'charged 0.10', '0.90 balance, 0.00 held, 0 slots'],
    ['deliver a', 'settled', '0.90 balance, 0.00 held, 0 slots'],
    ['return a', 'nothing', '0.90 balance, 0.00 held, 0 slots'],
    ['die', '', '0.90 balance, 0.00 held, 0 slots'],
    ['sweep', 'expired 0, refunded 0', '0.90 balance, 0.00 held, 0 slots'],
  ],
  'a charge that nobody took is returned by its own process, once': [
    ['admit a 1', 'admitted', '1.00 balance, 0.10 held, 1 slots'],
    ['return a', 'nothing', '1.00 balance, 0.10 held, 1 slots'],
    ['settle a 1', 'charged 0.10', '0.90 balance, 0.00 held, 0 slots'],
    ['return a', 'returned', '1.00 balance, 0.00 held, 0 slots'],
    ['return a', 'nothing', '1.00 balance, 0.00 held, 0 slots'],
    ['die', '', '1.00 balance, 0.00 held, 0 slots'],
    ['sweep', 'expired 0, refunded 0', '1.00 balance, 0.00 held, 0 slots'],
  ],
  'only what was charged counts as handed over': [
    ['admit a 1', 'admitted', '1.00 balance, 0.10 held, 1 slots'],
    ['deliver a', 'open', '1.00 balance, 0.10 held, 1 slots'],
    ['settle a 1', 'charged 0.10', '0.90 balance, 0.00 held, 0 slots'],
    ['die', '', '0.90 balance, 0.00 held, 0 slots'],
    ['sweep', 'expired 0, refunded 1', '1.00 balance, 0.00 held, 0 slots'],
  ],
  'a delivery that was claimed is left to its process': [
    ['admit a 1', 'admitted', '1.00 balance, 0.10 held, 1 slots'],
    ['claim a 1', 'nothing', '1.00 balance, 0.10 held, 1 slots'],
    ['settle a 1', 'charged 0.10', '0.90 balance, 0.00 held, 0 slots'],
    ['claim a 1', 'claimed', '0.90 balance, 0.00 held, 0 slots'],
    ['claim a 1', 'claimed', '0.90 balance, 0.00 held, 0 slots'],
    ['die', '', '0.90 balance, 0.00 held, 0 slots'],
    ['sweep', 'expired 0, refunded 0', '0.90 balance, 0.00 held, 0 slots'],
    ['return a', 'returned', '1.00 balance, 0.00 held, 0 slots'],
    ['return a', 'nothing', '1.00 balance, 0.00 held, 0 slots'],
    ['claim a 1', 'nothing', '1.00 balance, 0.00 held, 0 slots'],
    ['deliver a', 'settled, refunded', '1.00 balance, 0.00 held, 0 slots'],
  ],
  'a delivery that was claimed and made stays paid for': [
    ['admit a 1', 'admitted', '1.00 balance, 0.10 held, 1 slots'],
    ['settle a 1', 'charged 0.10', '0.90 balance, 0.00 held, 0 slots'],
    ['claim a 1', 'claimed', '0.90 balance, 0.00 held, 0 slots'],
    ['deliver a', 'settled', '0.90 balance, 0.00 held, 0 slots'],
    ['claim a 0', 'claimed', '0.90 balance, 0.00 held, 0 slots'],
    ['die', '', '0.90 balance, 0.00 held, 0 slots'],
    ['sweep', 'expired 0, refunded 0', '0.90 balance, 0.00 held, 0 slots'],
    ['return a', 'nothing', '0.90 balance, 0.00 held, 0 slots'],
  ],
  'a claim that has run out protects nothing': [
    ['admit a 1', 'admitted', '1.00 balance, 0.10 held, 1 slots'],
    ['settle a 1', 'charged 0.10', '0.90 balance, 0.00 held, 0 slots'],
    ['claim a 0', 'claimed', '0.90 balance, 0.00 held, 0 slots'],
    ['sweep', 'expired 0, refunded 0', '0.90 balance, 0.00 held, 0 slots'],
    ['die', '', '0.90 balance, 0.00 held, 0 slots'],
    ['sweep', 'expired 0, refunded 1', '1.00 balance, 0.00 held, 0 slots'],
  ],
  'the claim of a process that is known to be gone protects nothing': [
    ['admit a 1', 'admitted', '1.00 balance, 0.10 held, 1 slots'],
    ['settle a 1', 'charged 0.10', '0.90 balance, 0.00 held, 0 slots'],
    ['claim a 1', 'claimed', '0.90 balance, 0.00 held, 0 slots'],
    ['vanish', '', '0.90 balance, 0.00 held, 0 slots'],
    ['sweep', 'expired 0, refunded 1', '1.00 balance, 0.00 held, 0 slots'],
  ],
  'a claim means nothing in a copy of the installation': [
    ['admit a 1', 'admitted', '1.00 balance, 0.10 held, 1 slots'],
    ['settle a 1', 'charged 0.10', '0.90 balance, 0.00 held, 0 slots'],
    ['claim a 1', 'claimed', '0.90 balance, 0.00 held, 0 slots'],
    ['copy', 'expired 0, refunded 1', '1.00 balance, 0.00 held, 0 slots'],
  ],
  'a delivery is not claimed whose charge was returned': [
    ['admit a 1', 'admitted', '1.00 balance, 0.10 held, 1 slots'],
    ['settle a 1', 'charged 0.10', '0.90 balance, 0.00 held, 0 slots'],
    ['die', '', '0.90 balance, 0.00 held, 0 slots'],
    ['sweep', 'expired 0, refunded 1', '1.00 balance, 0.00 held, 0 slots'],
    ['claim a 1', 'nothing', '1.00 balance, 0.00 held, 0 slots'],
  ],
  'money that came back can be spent': [
    ['admit a 10', 'admitted', '1.00 balance, 1.00 held, 1 slots'],
    ['settle a 10', 'charged 1.00', '0.00 balance, 0.00 held, 0 slots'],
    ['return a', 'returned', '1.00 balance, 0.00 held, 0 slots'],
    ['admit b 10', 'admitted', '1.00 balance, 1.00 held, 1 slots'],
    ['settle b 10', 'charged 1.00', '0.00 balance, 0.00 held, 0 slots'],
  ],
};

forEachEngine((engine) => {
  let database: Database;
  beforeAll(async () => {
    database = await engine.open();
  });

  describe('a hold', () => {
    it.each(Object.entries(histories))('%s', async (_name, rows) => {
      const play = await openStage(database);
      const seen: Row[] = [];
      for (const [event] of rows) {
        const outcome = await play.perform(event);
        seen.push([event, outcome, await walletOf(database, play.userId)]);
      }
      expect(seen).toEqual(rows);
      expect(await violationsOf(database)).toEqual([]);
      await play.end();
    });
  });
});

async function openStage(database: Database) {
  const spender = await addSpender(database, '1.00');
  const process = await startProcess(database);
  const traceIds = new Map<string, string>();
  const traceIdOf = (name: string) => {
    const traceId = traceIds.get(name) ?? makeId('tr', systemClock.now());
    traceIds.set(name, traceId);
    return traceId;
  };
  const events: Record<string, (traceId: string, count: number) => Promise<string>> = {
    admit: async (traceId, images) => {
      const terms = { traceId, images, processId: process.id, slotsMax: 3 };
      return (await admit(database, systemClock, admissionOf(spender, terms))).kind;
    },
    settle: async (traceId, images) => {
      const charged = await settle(database, systemClock, settlementOf(traceId, images));
      return charged ? `charged ${formatAmount(charged.cost)}` : 'nothing';
    },
    release: async (traceId) => {
      const ending = { traceId, status: 'failed', code: 'upstream_error', attempts: '[]' } as const;
      return (await release(database, systemClock, ending)) ? 'released' : 'nothing';
    },
    return: async (traceId) => {
      const returned = await refundOwn(database, systemClock, { traceId, code: 'client_gone' });
      return returned ? 'returned' : 'nothing';
    },
    claim: async (traceId, minutes) => {
      const isClaimed = await claimDelivery(database, { traceId, claimMs: minutes * 60_000 });
      return isClaimed ? 'claimed' : 'nothing';
    },
    deliver: async (traceId) => {
      await database.transaction((trx) => markDelivered(trx, [traceId], systemClock.now()));
      const hold = await readHold(database, traceId);
      if (!hold) return 'missing';
      return hold.refundedAt === null ? hold.state : `${hold.state}, refunded`;
    },
    sweep: async () => {
      const { expired, refunded } = await sweepHolds(database, systemClock);
      return `expired ${expired}, refunded ${refunded}`;
    },
    die: async () => {
      await process.die();
      return '';
    },
    live: async () => {
      await process.live();
      return '';
    },
    copy: async () => {
      const { expired, refunded } = await endAbandoned(database, systemClock);
      return `expired ${expired}, refunded ${refunded}`;
    },
    vanish: async () => {
      await forgetProcess(database, process.id);
      return '';
    },
  };
  return {
    userId: spender.userId,
    perform: (event: string) => {
      const [verb = '', name = '', count = '1'] = event.split(' ');
      return must(events[verb], verb)(traceIdOf(name), Number(count));
    },
    /** Leaves nothing for the sweeps of other tests to find. */
    end: async () => {
      await process.die();
      await sweepHolds(database, systemClock);
    },
  };
}
