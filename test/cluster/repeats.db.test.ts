/** Requests that are sent again, and come to another worker than the first time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ringLimits } from '../../server/cluster/switchboard.ts';
import type { Database } from '../../server/db/db.ts';
import { must } from '../../server/lib/assert.ts';
import { imagesOf } from '../support/callers/answers.ts';
import { type Answer, outcomeOf } from '../support/callers/api.ts';
import { serveToFetch } from '../support/callers/fetching.ts';
import {
  dot,
  type Fields,
  generation,
  jsonEdit,
  type Way,
} from '../support/callers/ways-to-ask.ts';
import { forEachEngine } from '../support/databases/databases.ts';
import { addSpender, type Caller, refuseWrongBooks, walletOf } from '../support/money/spending.ts';
import { patience } from '../support/patience.ts';
import { askService, equip } from '../support/processes/service-process.ts';
import { type ServiceWorkers, startWorkers } from '../support/processes/service-workers.ts';
import { serveCountedModel } from '../support/upstreams/counted-model.ts';

const workers = 3;
/** Of the sandbox's model, and of one of an upstream that the test holds up. */
const charged = {
  sandbox: '0.96 balance, 0.00 held, 0 slots',
  counted: '0.90 balance, 0.00 held, 0 slots',
};

forEachEngine((engine) => {
  let database: Database;
  let service: ServiceWorkers;
  let spender: Caller;
  const ends: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    database = await engine.open();
    await equip(database);
    const options = {
      TINTYPE_WORKERS: String(workers),
      TINTYPE_IMAGE_FETCH_PRIVATE_HOSTS: '127.0.0.1',
    };
    service = await startWorkers(engine, database, options, (end) => ends.push(end));
  }, 120_000);
  afterAll(async () => {
    for (const end of ends) await end();
    await refuseWrongBooks(database);
  });
  beforeEach(async () => {
    spender = await addSpender(database, '1.00', 1_000);
  });

  const wallet = () => walletOf(database, spender.userId);

  /** Over a connection of its own, which comes to the next worker in turn. */
  const ask = (
    fields: Fields,
    headers: Record<string, string>,
    { signal, way = generation }: { signal?: AbortSignal; way?: Way } = {},
  ) =>
    askService(service, spender, fields, {
      headers: { connection: 'close', ...headers },
      way,
      ...(signal && { signal }),
    });

  /** Each worker had its turn. */
  const askEach = async (fields: Fields, headers: Record<string, string>, way?: Way) => {
    const answers: Answer[] = [];
    for (let turn = 0; turn < 2 * workers; turn++) {
      answers.push(await ask(fields, headers, { ...(way && { way }) }));
    }
    return answers;
  };

  describe('an Idempotency-Key', () => {
    const headers = { 'idempotency-key': 'one' };

    it('that comes to all workers at once is charged once, and each of them gives its picture', async () => {
      const prompt = 'a fox [[delay=500ms]] [[actual=32x32]]';
      const asked = Array.from({ length: 12 }, () => ask({ prompt }, headers));
      const answers = await Promise.all(asked);
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      expect(tracesOf(answers)).toHaveLength(1);
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect(await wallet()).toBe(charged.sandbox);
    });

    it.each([
      ['a picture', { prompt: 'a fox [[actual=32x32]]' }, 1],
      ['several that are large', { prompt: 'a fox', n: 2, size: '1536x1024' }, 2],
    ])('gets %s again from whichever worker is asked', async (_what, fields, pictures) => {
      const answers = await askEach(fields, headers);
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      expect(tracesOf(answers)).toHaveLength(1);
      const [first, ...repeats] = answers.map(({ text }) => text);
      expect(imagesOf(must(answers[0], 'an answer')).data).toHaveLength(pictures);
      expect(new Set(repeats)).toEqual(new Set([first]));
      const replayed = answers.filter(({ headers: got }) => got.has('idempotent-replayed'));
      expect(replayed).toHaveLength(answers.length - 1);
      expect(await wallet()).toBe(
        `${(1 - 0.04 * pictures).toFixed(2)} balance, 0.00 held, 0 slots`,
      );
    });

    it('gets a stream again too', async () => {
      const answers = await askEach({ prompt: 'a fox [[actual=32x32]]', stream: true }, headers);
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect(answers[0]?.text).toContain('image_generation.completed');
      expect(await wallet()).toBe(charged.sandbox);
    });

    it('gets the picture of an edit again, though a link of it has ended', async () => {
      const { images, fetches } = await linkThatEnds();
      const answers = await askEach({ images }, headers, jsonEdit);
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect(fetches()).toBe(1);
      expect(await wallet()).toBe(charged.sandbox);
    });

    it('is refused with another request by every worker', async () => {
      await ask({ prompt: 'a fox [[actual=32x32]]' }, headers);
      const others = await askEach({ prompt: 'a hare [[actual=32x32]]' }, headers);
      const refused = { status: 400, code: 'invalid_request_error', param: 'Idempotency-Key' };
      expect(others.map(outcomeOf)).toEqual(others.map(() => refused));
      expect(await wallet()).toBe(charged.sandbox);
    });

    it('is not told that its picture is gone while the worker that has it stands still', async () => {
      const { model, upstream } = await serveCountedModel(database, null);
      const first = ask({ model }, headers);
      await expect.poll(() => upstream.running, patience).toBe(1);
      const [[frozen = 0] = []] = await service.running();
      upstream.letGo(1);
      const { text } = await first;
      process.kill(frozen, 'SIGSTOP');
      // One of them comes to that worker, and waits for it to go on.
      const asked = Array.from({ length: workers }, () => ask({ model }, headers));
      const elsewhere = await Promise.race(asked);
      process.kill(frozen, 'SIGCONT');
      expect(outcomeOf(elsewhere)).toEqual({ status: 429, code: 'rate_limit', param: null });
      expect(elsewhere.headers.get('connection')).toBe('close');
      await Promise.all(asked);
      expect((await ask({ model }, headers)).text).toBe(text);
      expect(await wallet()).toBe(charged.counted);
    });

    it('is free for all when the worker that had it is killed, and nothing was charged', async () => {
      const { model, upstream } = await serveCountedModel(database, null);
      const statusOf = () =>
        ask({ model }, headers).then(
          ({ status }) => status,
          () => 'cut off',
        );
      const first = Array.from({ length: workers }, statusOf);
      await expect.poll(() => upstream.running, patience).toBe(1);
      const [[killed = 0] = []] = await service.running();
      process.kill(killed, 'SIGKILL');
      // What was on its way to the one that died is cut off too.
      const again = askUntil(statusOf, 200);
      await expect.poll(() => upstream.asked, patience).toBe(2);
      // The first is still among them, though nobody waits for it.
      upstream.letGo(2);
      await again;
      // Those that waited for the first at a sibling are told so, and one of them may have begun anew.
      const ended = await Promise.all(first);
      expect(ended).toContain('cut off');
      expect([200, 503, 'cut off']).toEqual(expect.arrayContaining(ended));
      expect(await wallet()).toBe(charged.counted);
      expect(upstream.asked).toBe(2);
    });
  });

  describe('a retry of an SDK whose client left', () => {
    /** It comes to another worker, which asks the one that stands still. */
    const comeBackWhileFrozen = async () => {
      const { model, upstream } = await serveCountedModel(database, null);
      const client = new AbortController();
      const first = ask({ model }, {}, { signal: client.signal });
      first.catch(() => 'left');
      await expect.poll(() => upstream.running, patience).toBe(1);
      const [[frozen = 0] = []] = await service.running();
      process.kill(frozen, 'SIGSTOP');
      client.abort();
      const retry = ask({ model }, { 'x-stainless-retry-count': '1' });
      return { upstream, retry, thaw: () => process.kill(frozen, 'SIGCONT') };
    };

    it('gets the one picture for the one charge, whichever worker it comes to', async () => {
      const { model, upstream } = await serveCountedModel(database, null);
      const client = new AbortController();
      const first = ask({ model }, {}, { signal: client.signal });
      first.catch(() => 'left');
      await expect.poll(() => upstream.running, patience).toBe(1);
      client.abort();
      const retry = ask({ model }, { 'x-stainless-retry-count': '1' });
      // Had it begun anew, its own call would wait for ever.
      upstream.letGo(1);
      expect((await retry).headers.get('idempotent-replayed')).toBe('true');
      expect(upstream.asked).toBe(1);
      expect(await wallet()).toBe(charged.counted);
    });

    it('gets it though the worker that has it stood still meanwhile', async () => {
      // Which it reads first, that the client has left or that a sibling asks for it, is chance.
      for (let round = 0; round < 5; round++) {
        const { upstream, retry, thaw } = await comeBackWhileFrozen();
        await sleep(200);
        thaw();
        await sleep(200);
        expect(upstream.asked).toBe(1);
        upstream.letGo(1);
        expect((await retry).headers.get('idempotent-replayed')).toBe('true');
      }
      expect(await wallet()).toBe('0.50 balance, 0.00 held, 0 slots');
    });

    it('gets it though that worker stands still for longer than the others wait for it', async () => {
      const { upstream, retry, thaw } = await comeBackWhileFrozen();
      await sleep(ringLimits.ms + 500);
      expect(upstream.asked).toBe(1);
      thaw();
      upstream.letGo(1);
      expect((await retry).headers.get('idempotent-replayed')).toBe('true');
      expect(upstream.asked).toBe(1);
      expect(await wallet()).toBe(charged.counted);
    });

    it('gets the picture of an edit, though a link of it has ended', async () => {
      const { model, upstream } = await serveCountedModel(database, null);
      const { images, fetches } = await linkThatEnds();
      const client = new AbortController();
      const edit = { way: jsonEdit, signal: client.signal };
      const first = ask({ model, images }, {}, edit);
      first.catch(() => 'left');
      await expect.poll(() => upstream.running, patience).toBe(1);
      client.abort();
      const again = { 'x-stainless-retry-count': '1' };
      const retry = ask({ model, images }, again, { way: jsonEdit });
      upstream.letGo(1);
      expect((await retry).headers.get('idempotent-replayed')).toBe('true');
      expect(fetches()).toBe(1);
      expect(await wallet()).toBe(charged.counted);
    });

    it('begins anew when nobody left it anything', async () => {
      const answer = await ask(
        { prompt: 'a fox [[actual=32x32]]' },
        { 'x-stainless-retry-count': '1' },
      );
      expect(answer.headers.has('idempotent-replayed')).toBe(false);
      expect(await wallet()).toBe(charged.sandbox);
    });
  });
});

async function askUntil<T>(ask: () => Promise<T>, wanted: T): Promise<void> {
  while ((await ask()) !== wanted);
}

/** A reference image that can be fetched once. */
async function linkThatEnds() {
  let fetches = 0;
  const { url } = await serveToFetch((_request, response) => {
    fetches += 1;
    if (fetches === 1) response.end(dot);
    else response.writeHead(403).end('This link has ended.');
  });
  return { images: [{ image_url: `${url}/signed` }], fetches: () => fetches };
}

function tracesOf(answers: readonly Answer[]): string[] {
  return [...new Set(answers.map(({ headers }) => headers.get('x-request-id') ?? 'none'))];
}
