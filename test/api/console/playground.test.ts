import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { playgroundKey } from '../../../server/flows/keys/playground-key.ts';
import { systemClock } from '../../../server/lib/clock.ts';
import { playgroundModelsSchema } from '../../../shared/console/models.ts';
import { settledStateSchema, traceKindSchema } from '../../../shared/console/trace.ts';
import { usageListSchema } from '../../../shared/console/usage.ts';
import { type Answer, describeApi, outcomeOf, wrong } from '../../support/callers/api.ts';
import { readEventStream } from '../../support/callers/event-stream.ts';
import { dataUrl, dot, generation, smallPrompt } from '../../support/callers/ways-to-ask.ts';
import { addConsoleUser, browserOf, type ConsoleUser } from '../../support/console/console-user.ts';
import { exactly } from '../../support/exactly.ts';
import { addUsageRows, usageRow } from '../../support/history/usage-rows.ts';
import { violationsOf, walletOf } from '../../support/money/spending.ts';

function read<S extends z.ZodType>(schema: S, answer: Answer): z.output<S> {
  if (answer.status !== 200) throw new Error(answer.text);
  return exactly(schema, answer.body);
}

let jobs = 0;

describeApi(
  (api) => {
    const add = () => addConsoleUser(api.app);
    const body = { model: 'gen-image-2.5-flare', prompt: smallPrompt };
    const make = (
      { browser }: ConsoleUser,
      fields: object = {},
      { path = '/images/generations', key = `job-${++jobs}` as string | null } = {},
    ) => browser.post(path, { ...body, ...fields }, { headers: { 'idempotency-key': key } });
    const usageOf = async ({ browser }: ConsoleUser) =>
      read(usageListSchema, await browser.get('/usage'));

    describe('a picture made in the playground', () => {
      test('is charged once and recorded with the playground’s key', async () => {
        const user = await add();
        const answer = await make(user);
        expect(answer.status).toBe(200);
        expect(answer.headers.get('x-tintype-cost')).toBe('0.04');
        expect(answer.headers.get('cache-control')).toContain('no-store');
        expect(answer.headers.has('access-control-allow-origin')).toBe(false);
        const { items, totals } = await usageOf(user);
        expect(items).toMatchObject([
          {
            trace_id: answer.headers.get('x-request-id'),
            api_key: { name: 'Playground', kind: 'playground' },
            requests: 1,
            images: 1,
            cost: { text: '0.04' },
            status: 'succeeded',
          },
        ]);
        expect(totals.spend.text).toBe('0.04');
        const filtered = await user.browser.get('/usage?key=playground');
        expect(read(usageListSchema, filtered).items).toHaveLength(1);
        expect(await violationsOf(api.app.database)).toEqual([]);
      });

      test('may be an edit', async () => {
        const user = await add();
        const images = [{ image_url: dataUrl(dot) }];
        const answer = await make(user, { images }, { path: '/images/edits' });
        expect(answer.status).toBe(200);
        expect((await usageOf(user)).items[0]?.operation).toBe('edit');
      });

      test('12: asked for twice with one key is charged once', async () => {
        const user = await add();
        const [first, second] = await Promise.all([
          make(user, {}, { key: 'click' }),
          make(user, {}, { key: 'click' }),
        ]);
        const third = await make(user, {}, { key: 'click' });
        expect([first.status, second.status, third.status]).toEqual([200, 200, 200]);
        expect(new Set([first, second, third].map(({ text }) => text)).size).toBe(1);
        expect((await usageOf(user)).totals).toMatchObject({
          requests: 1,
          spend: { text: '0.04' },
        });
      });

      test('is only given again to whoever asks for that, never made for them', async () => {
        const user = await add();
        const repeat = (key: string) =>
          user.browser.post('/images/generations', body, {
            headers: { 'idempotency-key': key, 'x-tintype-repeat': '1' },
          });
        expect(outcomeOf(await repeat('never-sent'))).toEqual(wrong('Idempotency-Key'));
        const failed = await make(user, { prompt: 'a fox [[fail=refused]]' }, { key: 'failed' });
        expect(failed.status).toBe(400);
        expect(outcomeOf(await repeat('failed'))).toEqual(wrong('Idempotency-Key'));
        const first = await make(user, {}, { key: 'made' });
        const again = await repeat('made');
        expect([again.status, again.text]).toEqual([200, first.text]);
        expect(await walletOf(api.app.database, user.id)).toBe('99.96 balance, 0.00 held, 0 slots');
      });

      test('needs an Idempotency-Key', async () => {
        const user = await add();
        const answer = await make(user, {}, { key: null });
        expect(outcomeOf(answer)).toEqual(wrong('Idempotency-Key'));
      });

      test('is told to be wrong as by the public API', async () => {
        const user = await add();
        expect(outcomeOf(await make(user, { size: '7x7' }))).toEqual(wrong('size'));
        expect(outcomeOf(await make(user, { model: 'none' }))).toEqual(wrong('model'));
      });

      test('is not made without money', async () => {
        const user = await addConsoleUser(api.app, { money: '0' });
        expect(outcomeOf(await make(user))).toMatchObject({
          status: 429,
          code: 'insufficient_quota',
        });
      });

      test('is for a page of ours or an access token, not for an API key', async () => {
        const user = await add();
        const headers = { 'idempotency-key': 'x', 'x-tintype-console': null };
        const foreign = await user.browser.post('/images/generations', body, { headers });
        expect(outcomeOf(foreign)).toMatchObject({ status: 403 });
        const byKey = await user.browser.post('/images/generations', body, {
          headers: { 'idempotency-key': 'x', authorization: `Bearer ${user.apiKey}` },
        });
        expect(outcomeOf(byKey)).toMatchObject({ status: 401 });
      });
    });

    describe('a stream', () => {
      test('shows partial images and ends with a receipt', async () => {
        const user = await add();
        const answer = await make(user, { stream: true, partial_images: 2 });
        const traceId = answer.headers.get('x-request-id');
        expect(answer.headers.get('cache-control')).toBe('no-store, no-transform');
        const { events } = readEventStream(answer.text);
        expect(events.map(({ name }) => name)).toEqual([
          'image_generation.partial_image',
          'image_generation.partial_image',
          'image_generation.completed',
        ]);
        expect(events.at(-1)?.data).toMatchObject({
          size: '32x32',
          output_format: 'png',
          tintype: {
            cost: '0.04',
            balance: '99.96',
            currency: 'USD',
            trace_id: traceId,
            cost_micros: 40_000,
            balance_micros: 99_960_000,
            duration_ms: expect.any(Number),
            revised_prompt: smallPrompt,
          },
        });
      });

      test('of the public API says no more than it promises', async () => {
        const answer = await api.ask(generation, { stream: true });
        const last = readEventStream(answer.text).events.at(-1);
        expect(Object.keys(last?.data['tintype'] ?? {})).toEqual(['cost', 'balance', 'currency']);
      });
    });

    describe('the playground’s key', () => {
      test('is made once, however many ask at a time', async () => {
        const user = await addConsoleUser(api.app, { money: '0' });
        const deps = { database: api.app.database, clock: systemClock };
        const keys = await Promise.all(
          Array.from({ length: 12 }, () => playgroundKey(deps, user.id)),
        );
        expect(new Set(keys.map(({ apiKeyId }) => apiKeyId)).size).toBe(1);
        expect(keys[0]).toMatchObject({ userId: user.id, models: null, addresses: null });
      });
    });

    describe('what became of a request', () => {
      const stateOf = async ({ browser }: ConsoleUser, traceId: string | null) =>
        read(settledStateSchema, await browser.get(`/requests/${traceId}`));

      test('is told with its charge and the balance', async () => {
        const user = await add();
        const { headers } = await make(user);
        const traceId = headers.get('x-request-id');
        expect(await stateOf(user, traceId)).toMatchObject({
          trace_id: traceId,
          status: 'succeeded',
          is_settled: true,
          cost: { text: '0.04' },
          charge: { amount: { text: '-0.04' } },
          refund: null,
          balance: { text: '99.96' },
        });
      });

      test('is told of one that failed: nothing was charged', async () => {
        const user = await add();
        const prompt = 'a fox [[fail=unavailable]]';
        const { headers } = await make(user, { prompt });
        expect(await stateOf(user, headers.get('x-request-id'))).toMatchObject({
          status: 'failed',
          code: 'upstream_error',
          is_settled: true,
          charge: null,
          balance: { text: '100.00' },
        });
      });
    });

    describe('a trace ID', () => {
      const kindOf = async (browser: ConsoleUser['browser'], traceId: string | null) =>
        read(traceKindSchema, await browser.get(`/trace/${traceId}`)).kind;

      test('leads its owner to the usage, an administrator to the log, others nowhere', async () => {
        const user = await add();
        const { headers } = await make(user);
        const traceId = headers.get('x-request-id');
        const admin = await addConsoleUser(api.app, { role: 'admin' });
        expect(await kindOf(user.browser, traceId)).toBe('usage');
        expect(await kindOf(admin.browser, traceId)).toBe('log');
        expect(await kindOf((await add()).browser, traceId)).toBe('none');
        expect(await kindOf(admin.browser, 'tr_none')).toBe('none');
        expect(await kindOf(await browserOf(api.app, user.id), traceId)).toBe('usage');
      });
    });

    describe('the models', () => {
      const models = async ({ browser }: ConsoleUser) =>
        read(playgroundModelsSchema, await browser.get('/models')).models;

      test('are told with price and what they can do', async () => {
        const [first] = await models(await add());
        expect(first).toMatchObject({
          id: 'gen-image-2.5-sunburst',
          price: { text: '0.08' },
          is_available: true,
          reason: null,
          missing: null,
          capabilities: {
            operations: ['generation', 'edit'],
            qualities: ['auto', 'low', 'medium', 'high', 'xhigh', 'max'],
            mask: true,
            partial_images: true,
            transparent_background: true,
          },
        });
      });

      test('that cannot be used say why not: plainly to users, in detail to administrators', async () => {
        const id = 'gen-image-3';
        const row = {
          id,
          description: 'new',
          extended_qualities: 0,
          enabled: 1,
          position: 9,
        } as const;
        await api.app.database.transaction(async (trx) => {
          const times = { price: null, created_at: 0 };
          await trx.kysely
            .insertInto('models')
            .values({ ...row, ...times })
            .execute();
          await trx.kysely
            .updateTable('revisions')
            .set((eb) => ({ revision: eb('revision', '+', 1) }))
            .where('topic', '=', 'catalog')
            .execute();
        });
        const find = async (user: ConsoleUser) =>
          (await models(user)).find((model) => model.id === id);
        const user = await add();
        await expect
          .poll(() => find(user))
          .toMatchObject({
            is_available: false,
            reason: expect.stringContaining('administrator'),
            missing: null,
            capabilities: null,
          });
        const admin = await addConsoleUser(api.app, { role: 'admin' });
        expect(await find(admin)).toMatchObject({ missing: 'price' });
      });
    });
  },
  { config: { attemptsPerPictureMax: 1 } },
);

describeApi((api) => {
  describe('how long a model takes', () => {
    test('is told from twenty pictures on, by quality', async () => {
      const user = await addConsoleUser(api.app, { money: '0' });
      const now = Date.now();
      const took = (seconds: number, quality: string) => {
        const startedAt = now - 3_600_000;
        const ended_at = startedAt + seconds * 1_000;
        const changes = { quality, ended_at, model: 'gen-image-2' };
        return usageRow({ userId: user.id }, startedAt, changes);
      };
      const many = Array.from({ length: 20 }, (_, n) => took(n + 1, 'high'));
      const few = Array.from({ length: 19 }, (_, n) => took(n + 1, 'low'));
      const old = usageRow({ userId: user.id }, now - 31 * 24 * 3_600_000, { quality: 'low' });
      await addUsageRows(api.app.database, [...many, ...few, old]);
      const { models } = read(playgroundModelsSchema, await user.browser.get('/models'));
      expect(models.find(({ id }) => id === 'gen-image-2')?.paces).toEqual([
        { quality: 'high', p50_ms: 10_000, p90_ms: 18_000, requests: 20 },
      ]);
    });
  });
});
