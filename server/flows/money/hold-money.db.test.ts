import { beforeEach, describe, expect, it } from 'vitest';
import { amount, testAdmin } from '../../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { interceptTransactions } from '../../../test/support/databases/intercepted-database.ts';
import {
  addSpender,
  admissionOf,
  type Spender,
  settlementOf,
  startProcess,
  violationsOf,
  walletOf,
} from '../../../test/support/money/spending.ts';
import { isCheckViolation } from '../../db/database-error.ts';
import type { Database } from '../../db/db.ts';
import { must } from '../../lib/assert.ts';
import { systemClock } from '../../lib/clock.ts';
import { readHold } from '../../wallets/delivery-store.ts';
import { enableKey } from '../keys/enable-key.ts';
import { issueKey } from '../keys/issue-key.ts';
import { revokeKey } from '../keys/revoke-key.ts';
import { setUserEnabled } from '../users/enable-user.ts';
import { adjustWallet } from './adjust-wallet.ts';
import { type Admission, admit, release, settle } from './hold-money.ts';

const requests = 200;
const affordable = 37;
const failed = { status: 'failed', code: 'upstream_error', attempts: '[]' } as const;

forEachEngine((engine) => {
  let database: Database;
  let processId: string;

  beforeEach(async () => {
    database = await engine.open();
    processId = (await startProcess(database)).id;
  });

  const admitFor = (spender: Spender, changes: Partial<Admission> = {}, db = database) =>
    admit(db, systemClock, admissionOf(spender, { processId, ...changes }));

  describe('many requests at the same time', () => {
    it('never hold more money than there is', async () => {
      const spender = await addSpender(database, '3.75');
      const outcomes = await Promise.all(Array.from({ length: requests }, () => admitFor(spender)));
      expect(countKinds(outcomes)).toEqual({ admitted: affordable, no_money: 163 });
      expect(await walletOf(database, spender.userId)).toBe('3.75 balance, 3.70 held, 37 slots');
      expect(await violationsOf(database)).toEqual([]);
    });

    it('never hold more money than there is, in two processes', async () => {
      const spender = await addSpender(database, '3.75');
      const other = engine.openAgain(database);
      const outcomes = await Promise.all(
        Array.from({ length: requests }, (_, i) =>
          admitFor(spender, {}, i % 2 === 0 ? database : other),
        ),
      );
      expect(countKinds(outcomes)).toEqual({ admitted: affordable, no_money: 163 });
      expect(await violationsOf(database)).toEqual([]);
    });

    it('never take more slots than there are', async () => {
      const spender = await addSpender(database, '100');
      const other = engine.openAgain(database);
      const outcomes = await Promise.all(
        Array.from({ length: requests }, (_, i) =>
          admitFor(spender, { slotsMax: 5 }, i % 2 === 0 ? database : other),
        ),
      );
      expect(countKinds(outcomes)).toEqual({ admitted: 5, no_slot: 195 });
      expect(await walletOf(database, spender.userId)).toBe('100.00 balance, 0.50 held, 5 slots');
    });

    it('end each hold once, however many try', async () => {
      const spender = await addSpender(database, '1.00');
      const other = engine.openAgain(database);
      const { traceId } = await admitted(spender);
      const ending = { traceId, ...failed };
      const endings = Array.from({ length: 40 }, (_, i) => {
        const db = i % 4 < 2 ? database : other;
        return i % 2 === 0
          ? settle(db, systemClock, settlementOf(traceId)).then((charged) => charged !== null)
          : release(db, systemClock, ending);
      });
      expect((await Promise.all(endings)).filter(Boolean)).toHaveLength(1);
      expect(await violationsOf(database)).toEqual([]);
    });

    it('keep the books right when they settle and release in any order', async () => {
      const spender = await addSpender(database, '5.00');
      const other = engine.openAgain(database);
      const lives = Array.from({ length: 60 }, async (_, i) => {
        const db = i % 2 === 0 ? database : other;
        const terms = admissionOf(spender, { processId });
        const { kind } = await admit(db, systemClock, terms);
        if (kind !== 'admitted') return kind;
        const { traceId } = terms;
        if (i % 3 === 0) {
          await release(db, systemClock, { traceId, ...failed });
          return 'released';
        }
        return (await settle(db, systemClock, settlementOf(traceId))) ? 'settled' : 'lost';
      });
      const ends = (await Promise.all(lives)).map((kind) => ({ kind }));
      const { settled = 0, lost = 0 } = countKinds(ends);
      expect(lost).toBe(0);
      expect(await walletOf(database, spender.userId)).toBe(
        `${(5 - settled * 0.1).toFixed(2)} balance, 0.00 held, 0 slots`,
      );
      expect(await violationsOf(database)).toEqual([]);
    });

    it('of many users do not disturb each other', async () => {
      const spenders = await Promise.all(
        Array.from({ length: 5 }, () => addSpender(database, '0.30')),
      );
      const outcomes = await Promise.all(
        Array.from({ length: 50 }, (_, i) =>
          admitFor(must(spenders[i % spenders.length], 'a spender')),
        ),
      );
      expect(countKinds(outcomes)).toEqual({ admitted: 15, no_money: 35 });
    });
  });

  describe('an admit', () => {
    it('is refused with what is available and what is needed', async () => {
      const spender = await addSpender(database, '0.25');
      await admitted(spender);
      expect(await admitFor(spender, { images: 2 })).toEqual({
        kind: 'no_money',
        available: amount('0.15'),
        needed: amount('0.20'),
      });
    });

    it('is tried again when what was in its way has gone meanwhile', async () => {
      const spender = await addSpender(database, '1.00');
      const { traceId } = await admitted(spender);
      const runChain: Database['runChain'] = async (chain, params) => {
        const done = await database.runChain(chain, params);
        await release(database, systemClock, { traceId, ...failed });
        return done;
      };
      const freed = { ...interceptTransactions(database, {}), runChain };
      expect(await admitFor(spender, { slotsMax: 1 }, freed)).toEqual({ kind: 'admitted' });
    });

    it('is refused for a slot before it is refused for money', async () => {
      const spender = await addSpender(database, '0.10');
      await admitted(spender);
      expect(await admitFor(spender, { slotsMax: 1 })).toEqual({ kind: 'no_slot' });
    });

    it('is refused once the key is revoked, whatever this process remembers', async () => {
      const spender = await addSpender(database, '1.00');
      const other = engine.openAgain(database);
      await revokeKey(testAdmin(other), { keyId: spender.apiKeyId, userId: null });
      expect(await admitFor(spender)).toEqual({ kind: 'not_permitted' });
    });

    it('is refused while the key is disabled, whatever this process remembers', async () => {
      const spender = await addSpender(database, '1.00');
      await enableKey(testAdmin(database), { keyId: spender.apiKeyId, userId: null }, false);
      expect(await admitFor(spender)).toEqual({ kind: 'not_permitted' });
    });

    it('is refused once the user is disabled, and goes on when they are enabled', async () => {
      const spender = await addSpender(database, '1.00');
      await setUserEnabled(testAdmin(database), spender.userId, false);
      expect(await admitFor(spender)).toEqual({ kind: 'not_permitted' });
      await setUserEnabled(testAdmin(database), spender.userId, true);
      expect(await admitFor(spender)).toEqual({ kind: 'admitted' });
    });

    it('is refused from the moment the key expires', async () => {
      const spender = await addSpender(database, '1.00');
      const admin = testAdmin(database);
      const expiresAt = admin.clock.now() + 1_000;
      const { key } = await issueKey(admin, {
        user: spender.userId,
        name: 'short',
        prefix: 'tin',
        models: null,
        expiresAt,
      });
      const terms = { processId, apiKeyId: key.id };
      admin.clock.advance(999);
      expect((await admit(database, admin.clock, admissionOf(spender, terms))).kind).toBe(
        'admitted',
      );
      admin.clock.advance(1);
      expect((await admit(database, admin.clock, admissionOf(spender, terms))).kind).toBe(
        'not_permitted',
      );
    });

    it("is refused with somebody else's key", async () => {
      const [spender, other] = [
        await addSpender(database, '1.00'),
        await addSpender(database, '1.00'),
      ];
      expect(await admitFor(spender, { apiKeyId: other.apiKeyId })).toEqual({
        kind: 'not_permitted',
      });
    });

    it('that is refused leaves nothing behind', async () => {
      const spender = await addSpender(database, '0.05');
      const terms = admissionOf(spender, { processId, idempotency: claim('k') });
      expect(await admit(database, systemClock, terms)).toMatchObject({ kind: 'no_money' });
      expect(await readHold(database, terms.traceId)).toBeNull();
      expect(await recordOf(terms.traceId)).toBeUndefined();
      expect(await claimedKeys()).toEqual([]);
      expect(await walletOf(database, spender.userId)).toBe('0.05 balance, 0.00 held, 0 slots');
    });

    it('writes the running usage record', async () => {
      const spender = await addSpender(database, '1.00');
      const { traceId } = await admitted(spender, { images: 3, stream: true });
      expect(await recordOf(traceId)).toMatchObject({
        status: 'running',
        images_requested: 3,
        images: 0,
        unit_price: amount('0.10'),
        cost: 0,
        stream: 1,
        ended_at: null,
      });
    });

    it('never holds what an administrator takes away at the same time', async () => {
      const spender = await addSpender(database, '2.00');
      const admin = testAdmin(engine.openAgain(database), 'test');
      const [outcomes, adjustments] = await Promise.all([
        Promise.all(Array.from({ length: 30 }, () => admitFor(spender))),
        Promise.allSettled(
          Array.from({ length: 10 }, () =>
            adjustWallet(admin, { user: spender.userId, amount: amount('-0.30') }),
          ),
        ),
      ]);
      const held = countKinds(outcomes)['admitted'] ?? 0;
      const taken = adjustments.filter(({ status }) => status === 'fulfilled').length;
      expect(held * 0.1 + taken * 0.3).toBeLessThanOrEqual(2.0001);
      expect(await violationsOf(database)).toEqual([]);
    });
  });

  describe('the price', () => {
    it('is the one of the admit, for the hold and for the charge', async () => {
      const spender = await addSpender(database, '1.00');
      const { traceId } = await admitted(spender, { unitPrice: amount('0.13'), images: 2 });
      expect(await walletOf(database, spender.userId)).toBe('1.00 balance, 0.26 held, 1 slots');
      await settle(database, systemClock, settlementOf(traceId, 2, amount('0.13')));
      expect(await walletOf(database, spender.userId)).toBe('0.74 balance, 0.00 held, 0 slots');
    });

    it('that rises meanwhile cannot be charged', async () => {
      const spender = await addSpender(database, '1.00');
      const { traceId } = await admitted(spender);
      expect(
        await settle(database, systemClock, settlementOf(traceId, 1, amount('0.11'))),
      ).toBeNull();
      expect(await violationsOf(database)).toEqual([]);
    });

    it('that falls meanwhile does not make a record of another price', async () => {
      const spender = await addSpender(database, '1.00');
      const { traceId } = await admitted(spender);
      const settling = settle(database, systemClock, settlementOf(traceId, 1, amount('0.09')));
      await expect(settling).rejects.toSatisfy(isCheckViolation);
      expect(await readHold(database, traceId)).toMatchObject({ state: 'open' });
    });
  });

  describe('an Idempotency-Key', () => {
    it('starts one request, however many come at the same time', async () => {
      const spender = await addSpender(database, '1.00');
      const other = engine.openAgain(database);
      const outcomes = await Promise.all(
        Array.from({ length: 30 }, (_, i) =>
          admitFor(spender, { idempotency: claim('k') }, i % 2 === 0 ? database : other),
        ),
      );
      expect(countKinds(outcomes)).toEqual({ admitted: 1, key_taken: 29 });
      expect(await walletOf(database, spender.userId)).toBe('1.00 balance, 0.10 held, 1 slots');
    });

    it('is recognised when neither a slot nor money is left for a second request', async () => {
      const spender = await addSpender(database, '0.10');
      const terms = { idempotency: claim('k'), slotsMax: 1 };
      expect(await admitFor(spender, terms)).toEqual({ kind: 'admitted' });
      expect(await admitFor(spender, terms)).toEqual({ kind: 'key_taken' });
      expect(await admitFor(spender, { slotsMax: 1 })).toEqual({ kind: 'no_slot' });
    });

    it('stays taken after the charge', async () => {
      const spender = await addSpender(database, '1.00');
      const { traceId } = await admitted(spender, { idempotency: claim('k') });
      await settle(database, systemClock, settlementOf(traceId));
      expect(await admitFor(spender, { idempotency: claim('k') })).toEqual({ kind: 'key_taken' });
    });

    it('is free again after a failure', async () => {
      const spender = await addSpender(database, '1.00');
      const { traceId } = await admitted(spender, { idempotency: claim('k') });
      await release(database, systemClock, { traceId, ...failed });
      expect(await admitFor(spender, { idempotency: claim('k') })).toEqual({ kind: 'admitted' });
    });

    it('belongs to one API key', async () => {
      const spender = await addSpender(database, '1.00');
      const other = await addSpender(database, '1.00');
      await admitted(spender, { idempotency: claim('k') });
      expect(await admitFor(other, { idempotency: claim('k') })).toEqual({ kind: 'admitted' });
    });
  });

  async function admitted(spender: Spender, changes: Partial<Admission> = {}): Promise<Admission> {
    const terms = admissionOf(spender, { processId, ...changes });
    expect(await admit(database, systemClock, terms)).toEqual({ kind: 'admitted' });
    return terms;
  }

  function recordOf(traceId: string) {
    return database.kysely
      .selectFrom('usage_records')
      .selectAll()
      .where('trace_id', '=', traceId)
      .executeTakeFirst();
  }

  async function claimedKeys(): Promise<string[]> {
    const rows = await database.kysely.selectFrom('idempotency_keys').select('key').execute();
    return rows.map(({ key }) => key);
  }
});

function claim(key: string): Admission['idempotency'] {
  return { key, fingerprint: 'f'.repeat(64) };
}

function countKinds(outcomes: readonly { kind: string }[]) {
  const counts: Record<string, number> = {};
  for (const { kind } of outcomes) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
