/** Reference images that a service cannot read become PNGs, which may be ten times as large as what was sent. */
import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { must } from '../../../server/lib/assert.ts';
import { describeApi, outcomeOf } from '../../support/callers/api.ts';
import { formEdit } from '../../support/callers/ways-to-ask.ts';
import {
  type CountingService,
  countedModel,
  startCountingService,
} from '../../support/upstreams/counting-service.ts';
import { serveModel } from '../../support/upstreams/served-model.ts';

const mebibyte = 1_048_576;
const budget = 16 * mebibyte;
const patience = { timeout: 60_000, interval: 20 };
const side = 1_500;
/** Noise, of which no PNG is smaller than its pixels. */
const pngBytes = side * side * 3;

function noise(): Promise<Buffer> {
  const raw = { width: side, height: side, channels: 3 } as const;
  return sharp(randomBytes(pngBytes), { raw }).webp({ quality: 1, effort: 0 }).toBuffer();
}

describeApi(
  (api) => {
    const used = () => api.app.app.memoryBudget.used;

    async function engineThatReadsNoWebp(): Promise<{ model: string; engine: CountingService }> {
      const engine = await startCountingService();
      const { id } = await serveModel(api.app, {
        engine: {
          kind: 'openai-images',
          baseUrl: engine.baseUrl,
          settings: { dialect: 'sd-server' },
          upstreamModel: countedModel,
        },
      });
      return { model: id, engine };
    }

    describe('a reference image as the service reads it', () => {
      let image: Buffer | null = null;
      beforeAll(async () => {
        image = await noise();
      });

      test('is there once for all pictures of a request, in the memory for uploads', async () => {
        const { model, engine } = await engineThatReadsNoWebp();
        const answer = api.ask(formEdit, { model, image: must(image, 'a picture'), n: 4 });
        await expect.poll(() => engine.running, patience).toBe(4);
        expect(must(image, 'a picture').length).toBeLessThan(pngBytes / 5);
        expect(used()).toBeGreaterThan(pngBytes);
        expect(used()).toBeLessThan(2 * pngBytes);
        const isIdle = () => {
          engine.letGo(4);
          return engine.running === 0;
        };
        await expect.poll(isIdle, patience).toBe(true);
        expect((await answer).status).toBe(200);
        await expect.poll(used, patience).toBe(0);
      });

      test('is not sent where there is no room for it, and nothing is charged', async () => {
        const { model, engine } = await engineThatReadsNoWebp();
        const user = await api.app.addUser({ money: '1' });
        const images = [image, image, image].map((each) => must(each, 'a picture'));
        const refused = await api.ask(formEdit, { model, image: images }, { user });
        expect(outcomeOf(refused)).toMatchObject({ status: 503, code: 'model_unavailable' });
        expect(engine.asked).toBe(0);
        const wallet = await api.app.database.kysely
          .selectFrom('wallets')
          .select(['balance', 'held'])
          .where('user_id', '=', user.id)
          .executeTakeFirstOrThrow();
        expect(wallet).toEqual({ balance: 1_000_000, held: 0 });
        await expect.poll(used, patience).toBe(0);
      });
    });
  },
  { config: { memoryBudgetBytes: budget, graceMs: 0 } },
);
