import type OpenAI from 'openai';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { verifyBooks } from '../../server/flows/money/verify-books.ts';
import { readWallet } from '../../server/wallets/wallet-store.ts';
import { startTestApp, type TestApp, type TestUser, type TestUserOptions } from '../support/app.ts';
import { Arrivals } from '../support/callers/arrivals.ts';
import { type OpenAiSdk, openAiSdks } from '../support/callers/openai-sdks.ts';
import { type Engine, forEachEngine } from '../support/databases/databases.ts';
import { decodePicture } from '../support/decode-picture.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { spentBy } from '../support/money/spent.ts';
import { thrownBy } from '../support/thrown-by.ts';

const model = 'gen-image-2.5-flare';
const price = '0.04';
const pictureDueMs = 8_000;
/** Not ready before the service's clock has moved on, which only a test can make it do. */
const slow = { model, prompt: `a red fox [[delay=${pictureDueMs}ms]] [[actual=64x64]]` };
const graceMs = 10_000;
/** Of real time: enough for a service on a busy machine to take the request on, and to draw. */
const impatient = { timeout: 1_000 };

forEachEngine((engine) => {
  let benches: Bench[];

  beforeAll(async () => {
    benches = await Promise.all(openAiSdks.map((sdk) => setUpBench(engine, sdk)));
  });
  afterAll(async () => {
    await Promise.all(benches.map((bench) => bench.clear()));
  });

  /** Each SDK with a service of its own, side by side: most of such a test is an SDK's own pause. */
  async function withEachSdk(body: (bench: Bench) => Promise<void>): Promise<void> {
    await Promise.all(benches.map(body));
  }

  it('an SDK that times out and asks again gets one picture for one charge', () =>
    withEachSdk(async ({ addClient, app, arrivals, clock }) => {
      const { client, user } = await addClient();
      const call = client.images.generate(slow, impatient).withResponse();
      const again = await arrivals.nth(user, 2);
      clock.advance(pictureDueMs);
      const { data, response } = await call;
      expect(again.headers).toMatchObject({ 'x-stainless-retry-count': '1' });
      expect(response.headers.get('idempotent-replayed')).toBe('true');
      expect(await decodePicture(data.data?.[0]?.b64_json)).toMatchObject({ format: 'png' });
      expect(await spentBy(app.database, user)).toEqual([price]);
    }));

  it('an SDK that times out on a stream and asks again gets one picture for one charge', () =>
    withEachSdk(async ({ addClient, app, arrivals, clock }) => {
      const { client, user } = await addClient();
      const call = client.images.generate({ ...slow, stream: true }, impatient);
      await arrivals.nth(user, 2);
      clock.advance(pictureDueMs);
      const types: string[] = [];
      for await (const { type } of await call) types.push(type);
      expect(types).toEqual(['image_generation.completed']);
      expect(await spentBy(app.database, user)).toEqual([price]);
    }));

  it('an SDK with an Idempotency-Key gets the same answer however often it asks', () =>
    withEachSdk(async ({ addClient, app, arrivals, clock }) => {
      const { client, user } = await addClient();
      const headers = { 'Idempotency-Key': 'order 1' };
      const call = client.images.generate(slow, { ...impatient, headers });
      await arrivals.nth(user, 2);
      clock.advance(pictureDueMs);
      const first = await call;
      const later = await client.images.generate(slow, { headers });
      expect(later).toEqual(first);
      expect(later._request_id).toBe(first._request_id);
      expect(await spentBy(app.database, user)).toEqual([price]);
    }));

  it('an SDK that gives up pays nothing', () =>
    withEachSdk(async ({ addClient, app, arrivals, clock, OpenAI }) => {
      const { client, user } = await addClient();
      const call = client.images.generate(slow, { ...impatient, maxRetries: 0 });
      await expect(call).rejects.toBeInstanceOf(OpenAI.APIConnectionTimeoutError);
      expect(await (await arrivals.nth(user, 1)).answered).toBeNull();
      clock.advance(graceMs);
      await vi.waitFor(async () => expect(await statusesOf(app, user)).toEqual(['canceled']));
      expect(await spentBy(app.database, user)).toEqual([]);
    }));

  it('an SDK that finds no slot free waits as it is told and gets its picture', () =>
    withEachSdk(async ({ addClient, app, arrivals, clock, OpenAI }) => {
      const { client, user } = await addClient({ slotsMax: 1 });
      const first = client.images.generate(slow);
      await vi.waitFor(async () => {
        expect(await readWallet(app.database, user.id)).toMatchObject({ inFlight: 1 });
      });

      const wanted = { model, prompt: 'an owl' };
      const refused = await thrownBy(client.images.generate(wanted, { maxRetries: 0 }));
      if (!(refused instanceof OpenAI.RateLimitError)) throw refused;
      expect(refused).toMatchObject({ code: 'rate_limit', type: 'rate_limit_error', param: null });
      expect(refused.headers.get('retry-after')).toBe('1');

      const second = client.images.generate(wanted);
      expect(await (await arrivals.nth(user, 3)).answered).toBe(429);
      clock.advance(pictureDueMs);
      await Promise.all([first, second]);
      expect(arrivals.of(user)).toHaveLength(4);
      expect(await spentBy(app.database, user)).toEqual([price, price]);
    }));

  it('an SDK asks again when the upstream failed without a charge', () =>
    withEachSdk(async ({ addClient, app, arrivals, OpenAI }) => {
      const { client, user } = await addClient();
      const wanted = { model, prompt: 'a fox [[fail=auth]]' };
      const thrown = await thrownBy(client.images.generate(wanted, { maxRetries: 1 }));
      expect(thrown).toBeInstanceOf(OpenAI.InternalServerError);
      expect(thrown).toMatchObject({ status: 502, code: 'upstream_error' });
      expect(arrivals.of(user)).toHaveLength(2);
      expect(await spentBy(app.database, user)).toEqual([]);
    }));
});

interface Bench {
  OpenAI: OpenAiSdk['OpenAI'];
  app: TestApp;
  clock: ManualClock;
  arrivals: Arrivals;
  addClient: (options?: TestUserOptions) => Promise<{ client: OpenAI; user: TestUser }>;
  /** Ends it, once its books are known to agree. */
  clear(): Promise<void>;
}

async function setUpBench(engine: Engine, { OpenAI }: OpenAiSdk): Promise<Bench> {
  const clock = new ManualClock();
  const location = engine.locationOf(await engine.open());
  const app = await startTestApp(location, { clock, config: { graceMs } });
  const arrivals = new Arrivals(app.baseUrl);
  return {
    OpenAI,
    app,
    clock,
    arrivals,
    addClient: async (options) => {
      const user = await app.addUser(options);
      return { user, client: new OpenAI({ apiKey: user.apiKey, baseURL: `${app.baseUrl}/v1` }) };
    },
    clear: async () => {
      arrivals.stop();
      expect((await verifyBooks(app.database)).violations).toEqual([]);
      await app.stop();
    },
  };
}

async function statusesOf({ database }: TestApp, user: TestUser): Promise<string[]> {
  const records = await database.kysely
    .selectFrom('usage_records')
    .select('status')
    .where('user_id', '=', user.id)
    .execute();
  return records.map(({ status }) => status);
}
