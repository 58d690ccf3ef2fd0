/** One request for one Idempotency-Key: run once, charged once, answered as often as it is asked for. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../server/db/db.ts';
import { pruneUsageBatch } from '../../server/flows/installation/prune-history.ts';
import { must } from '../../server/lib/assert.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { imagesOf } from '../support/callers/answers.ts';
import { type Answer, errorOf, outcomeOf } from '../support/callers/api.ts';
import type { Fields } from '../support/callers/ways-to-ask.ts';
import { forEachEngine } from '../support/databases/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { addSpender, type Caller, refuseWrongBooks, walletOf } from '../support/money/spending.ts';
import { patience } from '../support/patience.ts';
import { askService, startService } from '../support/processes/service-process.ts';

const replayMs = 600_000;
const delayMs = 10_000;
const slow = { prompt: `a fox [[delay=${delayMs}ms]] [[actual=32x32]]` };

const untouched = '1.00 balance, 0.00 held, 0 slots';
const held = '1.00 balance, 0.04 held, 1 slots';
const charged = '0.96 balance, 0.00 held, 0 slots';
const usedUp = { status: 400, code: 'invalid_request_error', param: 'Idempotency-Key' };

forEachEngine((engine) => {
  let database: Database;
  let app: TestApp;
  let clock: ManualClock;
  let spender: Caller;

  beforeAll(async () => {
    database = await engine.open();
    clock = new ManualClock(Date.UTC(2030, 0, 1));
    app = await startTestApp(engine.locationOf(database), {
      clock,
      config: { idempotencyReplayMs: replayMs, attemptsPerPictureMax: 1 },
    });
  });
  afterAll(async () => {
    await app.stop();
    await refuseWrongBooks(database);
  });
  beforeEach(async () => {
    spender = await addSpender(database, '1.00');
  });

  const wallet = () => walletOf(database, spender.userId);

  const ask = (fields: Fields = {}, { key = 'k', caller = spender, signal }: AskOptions = {}) =>
    askService(app, caller, fields, {
      headers: { 'idempotency-key': key },
      ...(signal && { signal }),
    });
  interface AskOptions {
    key?: string;
    caller?: Caller;
    signal?: AbortSignal;
  }

  const statuses = async () => {
    const records = await database.kysely
      .selectFrom('usage_records')
      .select(['status', 'cost'])
      .where('user_id', '=', spender.userId)
      .orderBy('trace_id')
      .execute();
    return records.map(({ status, cost }) => `${status} ${cost}`);
  };

  /** What was delivered, and is not marked so when its process seems to be gone, is returned. */
  async function untilMarked(answer: Answer): Promise<void> {
    const traceId = must(answer.headers.get('x-request-id'), 'its trace ID');
    const isMarked = async () => {
      clock.advance(1_000);
      const [hold] = await database.kysely
        .selectFrom('holds')
        .select('delivered_at')
        .where('trace_id', '=', traceId)
        .execute();
      return must(hold, 'its hold').delivered_at !== null;
    };
    await expect.poll(isMarked, patience).toBe(true);
  }

  /** A request that the sandbox has begun and not drawn. */
  async function startSlow(options: AskOptions = {}): Promise<{ answer: Promise<Answer> }> {
    const before = clock.sleepingFor(delayMs);
    const answer = ask(slow, options);
    answer.catch(() => 'left');
    await clock.untilSleepingFor(delayMs, before + 1);
    return { answer };
  }

  /** The same, whose caller left before it was drawn and charged. */
  async function leaveSlow(): Promise<void> {
    const client = new AbortController();
    await startSlow({ signal: client.signal });
    client.abort();
    clock.advance(delayMs);
    await expect.poll(wallet, patience).toBe(charged);
  }

  describe('the same request again', () => {
    it('gets the same answer, byte by byte, and is not charged', async () => {
      const first = await ask();
      const second = await ask();
      expect(first.headers.has('idempotent-replayed')).toBe(false);
      expect(second.headers.get('idempotent-replayed')).toBe('true');
      expect(second.text).toBe(first.text);
      for (const name of ['x-request-id', 'x-tintype-cost', 'x-tintype-balance', 'content-type']) {
        expect(second.headers.get(name)).toBe(first.headers.get(name));
      }
      expect(await wallet()).toBe(charged);
      expect(await statuses()).toEqual(['succeeded 40000']);
    });

    it('may be asked for as a stream too, and the other way round', async () => {
      const first = await ask({ stream: true });
      const second = await ask({ stream: true });
      expect(second.headers.get('idempotent-replayed')).toBe('true');
      expect(second.text).toBe(first.text);
      expect(outcomeOf(await ask())).toEqual(usedUp);
    });

    it('joins the first while that runs, however many come', async () => {
      const { answer: first } = await startSlow();
      const others = Array.from({ length: 10 }, () => ask(slow));
      // They have come so far when this one, which came last, is refused.
      expect(outcomeOf(await ask({ prompt: 'a hare' }))).toEqual(usedUp);
      clock.advance(delayMs);
      const answers = await Promise.all([first, ...others]);
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect(answers.filter(({ headers }) => headers.has('idempotent-replayed'))).toHaveLength(10);
      expect(await wallet()).toBe(charged);
    });

    it('is one request when many come at the same moment', async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => askWhileTimePasses()));
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect(imagesOf(answers[0] as Answer).data).toHaveLength(1);
      expect(await wallet()).toBe(charged);
      expect(await statuses()).toEqual(['succeeded 40000']);
    });

    it('gets its answer when there is neither money nor a slot for another', async () => {
      const poor = await addSpender(database, '0.04', 1);
      await ask({}, { caller: poor });
      expect(await ask({}, { caller: poor })).toMatchObject({ status: 200 });
      expect(await walletOf(database, poor.userId)).toBe('0.00 balance, 0.00 held, 0 slots');
    });

    it('with another key of its own is another request', async () => {
      await ask({}, { key: 'one' });
      const other = await ask({}, { key: 'two' });
      expect(other.headers.has('idempotent-replayed')).toBe(false);
      expect(await wallet()).toBe('0.92 balance, 0.00 held, 0 slots');
    });

    it("with the user's other API key is another request", async () => {
      await ask();
      const { secret } = await app.addKey(spender.userId);
      const other = await ask({}, { caller: { ...spender, apiKey: secret } });
      expect(other.headers.has('idempotent-replayed')).toBe(false);
      expect(await wallet()).toBe('0.92 balance, 0.00 held, 0 slots');
    });

    async function askWhileTimePasses(): Promise<Answer> {
      let isThere = false;
      const answer = ask().finally(() => {
        isThere = true;
      });
      // Who comes second at the same moment looks again after a pause.
      await expect
        .poll(() => clock.advance(500) ?? isThere, { ...patience, interval: 20 })
        .toBe(true);
      return answer;
    }
  });

  describe('another request', () => {
    it('with the key of one that runs is refused, and told which', async () => {
      const { answer } = await startSlow();
      const refused = await ask({ prompt: 'a hare' });
      expect(outcomeOf(refused)).toEqual(usedUp);
      clock.advance(delayMs);
      const traceId = (await answer).headers.get('x-request-id');
      expect(errorOf(refused).message).toContain(traceId);
    });

    it('with the key of one that is done is refused, and told which', async () => {
      const first = await ask();
      const refused = await ask({ prompt: 'a hare' });
      expect(outcomeOf(refused)).toEqual(usedUp);
      expect(errorOf(refused).message).toContain(first.headers.get('x-request-id'));
      expect(await wallet()).toBe(charged);
    });
  });

  describe('a request that fails', () => {
    it('leaves its key free', async () => {
      expect(await ask({ prompt: 'a fox [[fail=unavailable]]' })).toMatchObject({ status: 502 });
      const second = await ask();
      expect(second).toMatchObject({ status: 200 });
      expect(second.headers.has('idempotent-replayed')).toBe(false);
      expect(await statuses()).toEqual(['failed 0', 'succeeded 40000']);
    });

    it('that is refused leaves its key free', async () => {
      const poor = await addSpender(database, '0.01');
      expect(await ask({}, { caller: poor })).toMatchObject({ status: 429 });
      expect(outcomeOf(await ask({ size: 'huge' }))).toMatchObject({ status: 400 });
      expect(await ask()).toMatchObject({ status: 200 });
    });
  });

  describe('a caller that leaves', () => {
    it('finds its picture when it comes back, for one charge', async () => {
      await leaveSlow();
      const answer = await ask(slow);
      expect(answer.headers.get('idempotent-replayed')).toBe('true');
      expect(imagesOf(answer).data).toHaveLength(1);
      clock.advance(replayMs);
      await expect.poll(statuses, patience).toEqual(['succeeded 40000']);
      expect(await wallet()).toBe(charged);
    });

    it('and never comes back gets its money back when the answer is dropped', async () => {
      await leaveSlow();
      // The answer is kept from a moment after the charge on, and its time begins then.
      const walletLater = () => {
        clock.advance(replayMs);
        return wallet();
      };
      await expect.poll(walletLater, patience).toBe(untouched);
      expect(await statuses()).toEqual(['canceled 0']);
      // The key is free again, because nobody has paid for it.
      expect((await ask()).headers.has('idempotent-replayed')).toBe(false);
    });
  });

  describe('an answer that is not kept any more', () => {
    it('is a 400 which says that it was charged, and by which trace ID', async () => {
      const first = await ask();
      await untilMarked(first);
      clock.advance(replayMs);
      await expect.poll(async () => (await ask()).status, patience).toBe(400);
      const refused = await ask();
      expect(outcomeOf(refused)).toEqual(usedUp);
      expect(errorOf(refused).message).toContain(first.headers.get('x-request-id'));
      expect(errorOf(refused).message).toContain('charged once');
      expect(refused.headers.get('x-should-retry')).toBe('false');
      expect(await wallet()).toBe(charged);
    });

    it('keeps its key from other requests all the same', async () => {
      const first = await ask();
      await untilMarked(first);
      clock.advance(replayMs);
      await expect.poll(async () => (await ask()).status, patience).toBe(400);
      const refused = await ask({ prompt: 'another fox' });
      expect(outcomeOf(refused)).toEqual(usedUp);
      expect(errorOf(refused).message).toContain('was used for another request');
      expect(errorOf(refused).message).toContain(first.headers.get('x-request-id'));
    });

    it('is the same when its usage record is not kept any more either', async () => {
      const first = await ask();
      await untilMarked(first);
      clock.advance(replayMs);
      await expect.poll(async () => (await ask()).status, patience).toBe(400);
      const wanted = { beforeMs: clock.now() + 1, after: null, limit: 500 };
      await database.transaction((trx) => pruneUsageBatch(trx, wanted));
      // Records of refused repeats are written in their own time.
      expect(await statuses()).not.toContain('succeeded 40000');
      const refused = await ask();
      expect(outcomeOf(refused)).toEqual(usedUp);
      expect(errorOf(refused).message).toContain(first.headers.get('x-request-id'));
      expect(await wallet()).toBe(charged);
    });
  });

  describe('another process', () => {
    it('waits for the request that has the key, and never charges again', async () => {
      const { answer } = await startSlow();
      // Its own time runs on; only the first process's stands still.
      const other = await startService(engine.locationOf(database));
      const elsewhere = askService(other, spender, slow, { headers: { 'idempotency-key': 'k' } });
      expect(await wallet()).toBe(held);
      clock.advance(delayMs);
      const first = await answer;
      expect(first).toMatchObject({ status: 200 });
      // Its delivery is marked.
      clock.advance(1_000);
      const refused = await elsewhere;
      expect(outcomeOf(refused)).toEqual(usedUp);
      expect(errorOf(refused).message).toContain(first.headers.get('x-request-id'));
      expect(await wallet()).toBe(charged);
    });

    it('tells the requests of one API key from each other', async () => {
      const other = await startService(engine.locationOf(database));
      const asked = ['a', 'b', 'c'].map((key) => ({ key, fields: { prompt: `a fox for ${key}` } }));
      const traceIds = new Map<string, string | null>();
      for (const { key, fields } of asked) {
        traceIds.set(key, (await ask(fields, { key })).headers.get('x-request-id'));
      }
      clock.advance(1_000);
      for (const { key, fields } of asked) {
        const headers = { 'idempotency-key': key };
        const { message } = errorOf(await askService(other, spender, fields, { headers }));
        expect(message).toMatch(/is done and was charged once/);
        expect(message).toContain(traceIds.get(key));
      }
    });

    it('says that the answer waits elsewhere for a caller that left, who still gets it there', async () => {
      await leaveSlow();
      const other = await startService(engine.locationOf(database));
      const told = await askService(other, spender, slow, { headers: { 'idempotency-key': 'k' } });
      expect(outcomeOf(told)).toEqual({ status: 429, code: 'rate_limit', param: null });
      expect(errorOf(told).message).toContain('its answer waits in another process');
      expect(told.headers.get('retry-after')).toBe('5');
      expect(told.headers.get('connection')).toBe('close');
      expect((await ask(slow)).headers.get('idempotent-replayed')).toBe('true');
    });

    it('makes the request itself when the one that had the key has failed', async () => {
      const failing = { prompt: 'a fox [[delay=300ms]] [[fail=unavailable]]' };
      const first = ask(failing);
      await clock.untilSleepingFor(300);
      const options = { TINTYPE_ATTEMPTS_PER_PICTURE: '1' };
      const other = await startService(engine.locationOf(database), options);
      const elsewhere = askService(other, spender, failing, {
        headers: { 'idempotency-key': 'k' },
      });
      clock.advance(300);
      expect(await first).toMatchObject({ status: 502 });
      expect(await elsewhere).toMatchObject({ status: 502 });
      expect(await statuses()).toEqual(['failed 0', 'failed 0']);
    });
  });
});
