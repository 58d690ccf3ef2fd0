/** Callers that leave before they have their picture, and those who come back for it. */
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../server/db/db.ts';
import { doubtLimits } from '../../server/flows/requests/runs/doubtful-handovers.ts';
import { must } from '../../server/lib/assert.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { imagesOf } from '../support/callers/answers.ts';
import type { Answer } from '../support/callers/api.ts';
import { countDepartures } from '../support/callers/departures.ts';
import { type Fields, generation } from '../support/callers/ways-to-ask.ts';
import { forEachEngine } from '../support/databases/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { addSpender, type Caller, refuseWrongBooks, walletOf } from '../support/money/spending.ts';
import { patience } from '../support/patience.ts';
import { askService } from '../support/processes/service-process.ts';

const graceMs = 30_000;
/** Less than the grace. */
const delayMs = 10_000;
const slow = { prompt: `a fox [[delay=${delayMs}ms]] [[actual=32x32]]` };
/** What the official SDKs send with their own repeats. */
const asRetry = { 'x-stainless-retry-count': '1' };

const untouched = '1.00 balance, 0.00 held, 0 slots';
const held = '1.00 balance, 0.04 held, 1 slots';
const charged = '0.96 balance, 0.00 held, 0 slots';

forEachEngine((engine) => {
  let database: Database;
  let app: TestApp;
  let clock: ManualClock;
  let spender: Caller;
  const departures = countDepartures();

  beforeAll(async () => {
    database = await engine.open();
    clock = new ManualClock(Date.UTC(2030, 0, 1));
    app = await startTestApp(engine.locationOf(database), {
      clock,
      config: { graceMs },
      onLogLine: departures.note,
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

  const ask = (fields: Fields, headers: Record<string, string> = {}, caller = spender) =>
    askService(app, caller, fields, { headers });

  const records = () =>
    database.kysely
      .selectFrom('usage_records')
      .select(['trace_id', 'status', 'code', 'cost'])
      .where('user_id', '=', spender.userId)
      .orderBy('trace_id')
      .execute();

  /** A request whose picture the sandbox waits to draw. */
  async function start(fields: Fields = slow, takesMs = delayMs) {
    const idle = clock.sleeping;
    const drawing = clock.sleepingFor(takesMs);
    const client = new AbortController();
    const { headers, body } = generation.write(fields);
    const response = fetch(`${app.baseUrl}${generation.path}`, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${spender.apiKey}` },
      body,
      signal: client.signal,
    });
    response.catch(() => 'left');
    await clock.untilSleepingFor(takesMs, drawing + 1);
    // Its deadline and the sandbox's delay; a stream has one more, until its first comment.
    await clock.untilSleeping(idle + (fields['stream'] ? 3 : 2));
    return { idle, response, leave: () => departures.leave(client) };
  }

  /** Asks again, and waits until the run's grace is over because somebody is there. */
  async function comeBack(): Promise<Promise<Answer>[]> {
    const before = clock.sleeping;
    const answer = ask(slow, asRetry);
    await expect.poll(() => clock.sleeping, patience).toBe(before - 1);
    // In a list, because a promise would be waited for.
    return [answer];
  }

  describe('a caller that leaves before anything came', () => {
    it('and does not come back pays nothing, and the upstream is stopped', async () => {
      const request = await start({ prompt: 'a fox [[delay=100s]]' }, 100_000);
      await request.leave();
      clock.advance(graceMs - 1);
      expect(await wallet()).toBe(held);
      clock.advance(1);
      await expect.poll(wallet, patience).toBe(untouched);
      expect(await records()).toMatchObject([{ status: 'canceled', code: 'client_gone', cost: 0 }]);
      // Neither the deadline nor the sandbox's delay goes on.
      await expect.poll(() => clock.sleeping, patience).toBe(request.idle);
    });

    it('and does not come back pays nothing for the picture that came meanwhile', async () => {
      const request = await start();
      await request.leave();
      clock.advance(delayMs);
      expect(await wallet()).toBe(held);
      clock.advance(graceMs - delayMs);
      await expect.poll(wallet, patience).toBe(untouched);
      expect(await records()).toMatchObject([{ status: 'canceled', code: 'client_gone', cost: 0 }]);
    });

    it('and comes back gets the one picture for one charge', async () => {
      const request = await start();
      await request.leave();
      const [answer] = await comeBack();
      clock.advance(delayMs);
      expectReplay(must(await answer, 'an answer'), await records());
      expect(await wallet()).toBe(charged);
    });

    it('and comes back gets the picture that came meanwhile, for one charge', async () => {
      const request = await start();
      await request.leave();
      clock.advance(delayMs);
      expect(await wallet()).toBe(held);
      expectReplay(await ask(slow, asRetry), await records());
      expect(await wallet()).toBe(charged);
    });

    it('and comes back too late makes a new request', async () => {
      const request = await start();
      await request.leave();
      clock.advance(graceMs);
      await expect.poll(wallet, patience).toBe(untouched);
      const answer = await ask({}, asRetry);
      expect(answer.headers.has('idempotent-replayed')).toBe(false);
      expect(await records()).toMatchObject([{ status: 'canceled' }, { status: 'succeeded' }]);
    });

    it.each([
      ['another body', { prompt: `a hare [[delay=${delayMs}ms]] [[actual=32x32]]` }, asRetry],
      ['no word that it is a repeat', slow, {}],
      ['a count of none', slow, { 'x-stainless-retry-count': '0' }],
    ])('is not taken for one who comes back with %s', async (_what, fields, headers) => {
      const request = await start();
      await request.leave();
      const before = clock.sleepingFor(delayMs);
      const answer = ask(fields, headers);
      await clock.untilSleepingFor(delayMs, before + 1);
      expect(await wallet()).toBe('1.00 balance, 0.08 held, 2 slots');
      clock.advance(delayMs);
      expect((await answer).headers.has('idempotent-replayed')).toBe(false);
      clock.advance(graceMs - delayMs);
      await expect.poll(wallet, patience).toBe(charged);
    });

    it("is not taken for somebody else, nor for the user's other key", async () => {
      const request = await start();
      await request.leave();
      const { secret } = await app.addKey(spender.userId);
      const others = [await addSpender(database, '1.00'), { ...spender, apiKey: secret }];
      const before = clock.sleepingFor(delayMs);
      const answers = others.map((other) => ask(slow, asRetry, other));
      await clock.untilSleepingFor(delayMs, before + 2);
      clock.advance(delayMs);
      for (const answer of await Promise.all(answers)) {
        expect(answer.headers.has('idempotent-replayed')).toBe(false);
      }
      clock.advance(graceMs - delayMs);
      await expect.poll(wallet, patience).toBe(charged);
    });

    it('may leave three requests at a time to run on; the fourth is stopped', async () => {
      for (let i = 0; i < 4; i++) {
        const request = await start();
        await request.leave();
      }
      await expect.poll(wallet, patience).toBe('1.00 balance, 0.12 held, 3 slots');
      expect((await records()).map(({ status }) => status)).toEqual([
        'running',
        'running',
        'running',
        'canceled',
      ]);
      clock.advance(graceMs);
      await expect.poll(wallet, patience).toBe(untouched);
    });
  });

  describe('a caller that leaves after a partial image', () => {
    it('pays for the picture, which is made to its end', async () => {
      const request = await start({ ...slow, stream: true, partial_images: 1 }, delayMs / 2);
      clock.advance(delayMs / 2);
      const body = must((await request.response).body, 'a body').pipeThrough(
        new TextDecoderStream(),
      );
      for await (const text of body.values({ preventCancel: true })) {
        if (text.includes('event: image_generation.partial_image')) break;
      }
      await request.leave();
      clock.advance(delayMs / 2);
      await expect.poll(wallet, patience).toBe(charged);
      expect(await records()).toMatchObject([{ status: 'succeeded', cost: 40_000 }]);
      clock.advance(graceMs);
      expect(await wallet()).toBe(charged);
    });
  });

  describe('a caller that leaves in the middle of its picture', () => {
    /** More than a connection takes without being read. */
    const large = { prompt: 'a fox [[bytes=24M]] [[actual=32x32]]' };

    it('has paid, and gets it again without another charge', async () => {
      const client = new AbortController();
      const { headers, body } = generation.write(large);
      const response = await fetch(`${app.baseUrl}${generation.path}`, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${spender.apiKey}` },
        body,
        signal: client.signal,
      });
      expect(response.headers.get('x-tintype-cost')).toBe('0.04');
      await departures.leave(client);
      expect(await wallet()).toBe(charged);

      const again = await ask(large, asRetry);
      expectReplay(again, await records());
      expect(again.headers.get('x-request-id')).toBe(response.headers.get('x-request-id'));
      clock.advance(graceMs);
      expect(await wallet()).toBe(charged);
    });

    it('has paid, and is not given it back when they do not return', async () => {
      const client = new AbortController();
      const { headers, body } = generation.write(large);
      await fetch(`${app.baseUrl}${generation.path}`, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${spender.apiKey}` },
        body,
        signal: client.signal,
      });
      await departures.leave(client);
      clock.advance(graceMs);
      await expect.poll(records, patience).toMatchObject([{ status: 'succeeded', cost: 40_000 }]);
      expect(await wallet()).toBe(charged);
      expect((await ask({}, asRetry)).headers.has('idempotent-replayed')).toBe(false);
    });
  });

  describe('a caller that closes its connection as its picture is on the way', () => {
    const quick = { prompt: 'a fox [[actual=32x32]]' };

    /** The answer's head; the rest of it is with the systems of both. */
    async function askOn(agent: Agent): Promise<IncomingMessage> {
      const { headers, body } = generation.write(quick);
      const sent = request(`${app.baseUrl}${generation.path}`, {
        method: 'POST',
        agent,
        headers: { ...headers, authorization: `Bearer ${spender.apiKey}` },
      });
      sent.end(body);
      // The response is the only argument of this event.
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      response.on('error', () => {});
      return response;
    }

    async function readWhole(response: IncomingMessage): Promise<void> {
      response.resume();
      await once(response, 'end');
    }

    /** What happened on earlier connections was noticed before one that is opened now is answered. */
    const untilNoticed = () =>
      fetch(`${app.baseUrl}/healthz`, { headers: { connection: 'close' } });

    const agent = () => new Agent({ keepAlive: true });

    it.each([
      ['breaks', async ({ socket }: IncomingMessage) => socket.resetAndDestroy()],
      [
        'ends',
        async (response: IncomingMessage) => {
          const { socket } = response;
          await readWhole(response);
          socket.end();
        },
      ],
    ])('so that it %s, has paid, and gets it again without another charge', async (_how, close) => {
      await close(await askOn(agent()));
      await untilNoticed();
      clock.advance(doubtLimits.ms - 1);
      expectReplay(await ask(quick, asRetry), await records());
      clock.advance(graceMs);
      expect(await wallet()).toBe(charged);
    });

    it('and comes back too late makes a new request', async () => {
      const { socket } = await askOn(agent());
      socket.resetAndDestroy();
      await untilNoticed();
      clock.advance(doubtLimits.ms);
      await untilNoticed();
      expect((await ask(quick, asRetry)).headers.has('idempotent-replayed')).toBe(false);
      expect(await wallet()).toBe('0.92 balance, 0.00 held, 0 slots');
    });

    it('and asks without a word that it is a repeat makes a new request', async () => {
      const { socket } = await askOn(agent());
      socket.resetAndDestroy();
      await untilNoticed();
      expect((await ask(quick)).headers.has('idempotent-replayed')).toBe(false);
      expect(await wallet()).toBe('0.92 balance, 0.00 held, 0 slots');
    });

    it('is told from one that keeps it open, which has what it paid for', async () => {
      const open = await askOn(agent());
      const { socket } = open;
      await readWhole(open);
      await untilNoticed();
      expect((await ask(quick, asRetry)).headers.has('idempotent-replayed')).toBe(false);
      expect(await wallet()).toBe('0.92 balance, 0.00 held, 0 slots');
      socket.destroy();
    });
  });
});

/** An answer of the run that an earlier request of the only usage record had begun. */
function expectReplay(answer: Answer, records: readonly { trace_id: string; status: string }[]) {
  expect(imagesOf(answer).data).toHaveLength(1);
  expect(answer.headers.get('idempotent-replayed')).toBe('true');
  expect(answer.headers.get('x-tintype-cost')).toBe('0.04');
  expect(records).toHaveLength(1);
  expect(answer.headers.get('x-request-id')).toBe(records[0]?.trace_id);
}
