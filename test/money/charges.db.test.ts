/** What a request costs, whatever goes wrong with it or changes around it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { revokeKey } from '../../server/flows/keys/revoke-key.ts';
import { setEnabledOfModel } from '../../server/flows/models/enable-model.ts';
import { setPrice } from '../../server/flows/models/set-price.ts';
import { setUserEnabled } from '../../server/flows/users/enable-user.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { imagesOf } from '../support/callers/answers.ts';
import { type Answer, outcomeOf } from '../support/callers/api.ts';
import type { Fields } from '../support/callers/ways-to-ask.ts';
import { amount } from '../support/console/test-admin.ts';
import { forEachEngine } from '../support/databases/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { addSpender, type Caller, refuseWrongBooks, walletOf } from '../support/money/spending.ts';
import { patience } from '../support/patience.ts';
import { askService } from '../support/processes/service-process.ts';

const failure = { status: 502, code: 'upstream_error', param: null };
const declined = { status: 400, code: 'invalid_request_error', param: null };
const unsupported = { status: 503, code: 'model_unavailable', param: null };

const untouched = '1.00 balance, 0.00 held, 0 slots';
const delayMs = 60_000;
/** Not ready before the clock has moved on. */
const slow = { prompt: `a fox [[delay=${delayMs}ms]] [[actual=32x32]]` };

forEachEngine((engine) => {
  let app: TestApp;
  let clock: ManualClock;
  let spender: Caller;

  beforeAll(async () => {
    clock = new ManualClock(Date.UTC(2030, 0, 1));
    const location = engine.locationOf(await engine.open());
    app = await startTestApp(location, { clock, config: { attemptsPerPictureMax: 2 } });
  });
  afterAll(async () => {
    await refuseWrongBooks(app.database);
    await app.stop();
  });

  async function newSpender(): Promise<void> {
    spender = await addSpender(app.database, '1.00');
  }
  const ask = (fields: Fields) => askService(app, spender, fields);
  const wallet = () => walletOf(app.database, spender.userId);

  /**
   * As `ask`, while time passes as quickly as anybody waits for it: also the two seconds that an answer
   * waits for the end of its hold, so what that leaves may be there a moment later.
   */
  async function askAndWait(fields: Fields): Promise<Answer> {
    let answer: Answer | null = null;
    const asking = ask(fields).then((given) => {
      answer = given;
    });
    await expect
      .poll(
        () => {
          if (clock.sleeping > 0) clock.advance(500);
          return answer;
        },
        { ...patience, interval: 5 },
      )
      .not.toBeNull();
    await asking;
    if (answer === null) throw new Error('there is an answer');
    return answer;
  }

  describe('a picture that does not come', () => {
    it.each([
      ['fail=refused', declined],
      ['fail=bad_request', declined],
      ['fail=unsupported', unsupported],
      ['fail=auth', failure],
      ['fail=quota', failure],
      ['fail=busy', failure],
      ['fail=unavailable', failure],
      ['fail=timeout', failure],
      ['fail=protocol', failure],
      ['drop', failure],
      ['corrupt', failure],
      ['truncate', failure],
      ['empty', failure],
      ['text', failure],
    ])('costs nothing: %s', async (directive, outcome) => {
      await newSpender();
      const answer = await askAndWait({ prompt: `a fox [[${directive}]] [[actual=32x32]]` });
      expect(outcomeOf(answer)).toEqual(outcome);
      expect(answer.headers.has('x-tintype-cost')).toBe(false);
      await expect
        .poll(recordsOf, patience)
        .toEqual([{ status: 'failed', code: outcome.code, images: 0, cost: 0 }]);
      expect(await wallet()).toBe(untouched);
    });

    it('costs nothing after partial images either', async () => {
      await newSpender();
      const prompt = 'a fox [[drop@partial1]] [[actual=32x32]]';
      const answer = await askAndWait({ prompt, stream: true, partial_images: 1 });
      expect(answer.text).toContain('image_generation.partial_image');
      expect(answer.text).toContain('"code":"upstream_error"');
      expect(answer.text).not.toContain('image_generation.completed');
      await expect
        .poll(recordsOf, patience)
        .toEqual([{ status: 'failed', code: 'upstream_error', images: 0, cost: 0 }]);
      expect(await wallet()).toBe(untouched);
    });

    it('costs nothing when it takes longer than a request may', async () => {
      await newSpender();
      const answer = ask({ prompt: 'a fox [[stall]]' });
      await expect.poll(wallet, patience).toBe('1.00 balance, 0.04 held, 1 slots');
      clock.advance(285_000);
      expect(outcomeOf(await answer)).toEqual(failure);
      expect(await wallet()).toBe(untouched);
    });
  });

  describe('a picture that comes', () => {
    it('at the second try costs what one costs', async () => {
      await newSpender();
      const prompt = 'a fox [[fail=busy]] [[times=1]] [[actual=32x32]]';
      const answer = await askAndWait({ prompt });
      expect(answer.headers.get('x-tintype-cost')).toBe('0.04');
      expect(answer.headers.get('x-tintype-balance')).toBe('0.96');
      expect(await wallet()).toBe('0.96 balance, 0.00 held, 0 slots');
    });

    it('in a stream costs as much, and the last event says so', async () => {
      await newSpender();
      const answer = await askAndWait({ stream: true, partial_images: 2 });
      expect(answer.text).toContain('"tintype":{"cost":"0.04","balance":"0.96","currency":"USD"}');
      expect(await wallet()).toBe('0.96 balance, 0.00 held, 0 slots');
    });

    it('n times costs n times as much', async () => {
      await newSpender();
      const answer = await askAndWait({ n: 3 });
      expect(imagesOf(answer)).toMatchObject({ usage: { images: 3 } });
      expect(imagesOf(answer).data).toHaveLength(3);
      expect(answer.headers.get('x-tintype-cost')).toBe('0.12');
      expect(await recordsOf()).toEqual([
        { status: 'succeeded', code: null, images: 3, cost: 120_000 },
      ]);
    });

    it('needs the money for all n before it begins', async () => {
      await newSpender();
      const model = 'gen-image-2.5-sunburst';
      expect(imagesOf(await ask({ model, n: 10 })).data).toHaveLength(10);
      expect(outcomeOf(await ask({ model, n: 3 }))).toMatchObject({ code: 'insufficient_quota' });
      expect(await wallet()).toBe('0.20 balance, 0.00 held, 0 slots');
      expect(imagesOf(await ask({ model, n: 2 })).data).toHaveLength(2);
    });
  });

  describe('what changes while a request runs', () => {
    /** A request under way; `finish` lets its picture come. */
    async function startSlow(): Promise<{ finish: () => Promise<Answer> }> {
      await newSpender();
      const answer = ask(slow);
      await clock.untilSleepingFor(delayMs);
      expect(await wallet()).toBe('1.00 balance, 0.04 held, 1 slots');
      return {
        finish: () => {
          clock.advance(delayMs);
          return answer;
        },
      };
    }

    it('does not change its price; the next request has the new one', async () => {
      const modelId = 'gen-image-2.5-flare';
      const request = await startSlow();
      await setPrice(app.admin, { modelId, price: amount('0.50') });
      const answer = await request.finish();
      expect(answer.headers.get('x-tintype-cost')).toBe('0.04');
      expect((await ask({})).headers.get('x-tintype-cost')).toBe('0.50');
      expect(await wallet()).toBe('0.46 balance, 0.00 held, 0 slots');
      await setPrice(app.admin, { modelId, price: amount('0.04') });
    });

    it('does not stop it when its model is withdrawn; the next one is refused', async () => {
      const modelId = 'gen-image-2.5-flare';
      const request = await startSlow();
      await setEnabledOfModel(app.admin, { modelId, enabled: false });
      expect(await request.finish()).toMatchObject({ status: 200 });
      expect(outcomeOf(await ask({}))).toMatchObject({ status: 503, code: 'model_unavailable' });
      expect(await wallet()).toBe('0.96 balance, 0.00 held, 0 slots');
      await setEnabledOfModel(app.admin, { modelId, enabled: true });
    });

    it('does not stop it when its key is revoked; the next one is refused', async () => {
      const request = await startSlow();
      await revokeKey(app.admin, { keyId: spender.apiKeyId, userId: null });
      expect(await request.finish()).toMatchObject({ status: 200 });
      expect(outcomeOf(await ask({}))).toMatchObject({ status: 401 });
      expect(await wallet()).toBe('0.96 balance, 0.00 held, 0 slots');
    });

    it('does not stop it when its user is disabled; the next one is refused', async () => {
      const request = await startSlow();
      await setUserEnabled(app.admin, spender.userId, false);
      expect(await request.finish()).toMatchObject({ status: 200 });
      expect(outcomeOf(await ask({}))).toMatchObject({ status: 401 });
      expect(await wallet()).toBe('0.96 balance, 0.00 held, 0 slots');
    });
  });

  /** The usage records of the spender, the first first. */
  function recordsOf() {
    return app.database.kysely
      .selectFrom('usage_records')
      .select(['status', 'code', 'images', 'cost'])
      .where('user_id', '=', spender.userId)
      .orderBy('trace_id')
      .execute();
  }
});
