/** Upstreams that are not called at all: broken, unable, down, at rest. */
import { describe, expect, test } from 'vitest';
import { bumpRevision } from '../../../server/db/revisions.ts';
import { modelListSchema } from '../../../shared/api/models.ts';
import { imagesOf } from '../../support/callers/answers.ts';
import { describeApi, outcomeOf, wrong } from '../../support/callers/api.ts';
import { generation, jsonEdit, waysToEdit } from '../../support/callers/ways-to-ask.ts';
import { exactly } from '../../support/exactly.ts';
import { violationsOf } from '../../support/money/spending.ts';
import { spentBy } from '../../support/money/spent.ts';
import { serveModel, wayOf } from '../../support/upstreams/served-model.ts';

const steady = { settings: { directives: 'off' } };
/** Makes no edits; its model list is built in, so nobody needs to be there. */
const painter = {
  kind: 'openai-images',
  baseUrl: 'http://127.0.0.1:1/v1',
  credential: 'fake',
  settings: { dialect: 'zai' },
  upstreamModel: 'glm-image',
};

describeApi((api) => {
  /** As another version may have left it. */
  async function breakUpstream(
    name: string,
    broken: { kind?: string; settings?: string },
  ): Promise<void> {
    await api.app.database.transaction(async (trx) => {
      await trx.kysely.updateTable('upstreams').set(broken).where('name', '=', name).execute();
      await bumpRevision(trx, 'catalog');
    });
  }

  describe('an upstream that cannot work', () => {
    test.each([
      ['is of an unknown kind', { kind: 'stone-lithography' }],
      ['has a setting that its kind does not know', { settings: '{"plate":"tin"}' }],
      ['has a setting out of its range', { settings: '{"delayMs":-1}' }],
      ['is of a kind that needs a base URL', { kind: 'a1111', settings: '{}' }],
    ])('because it %s is passed over', async (_why, broken) => {
      const { id, nameOf } = await serveModel(api.app, { first: {}, second: {} });
      await breakUpstream(nameOf('first'), broken);
      const user = await api.app.addUser({ money: '1' });
      const answer = await api.ask(generation, { model: id }, { user });
      expect(imagesOf(answer).data).toHaveLength(1);
      expect(await wayOf(api.app, answer)).toEqual(['second: picture']);
      expect(await spentBy(api.app.database, user)).toEqual(['0.10']);
    });

    test('leaves its model unavailable and unlisted when there is no other', async () => {
      const { id, nameOf } = await serveModel(api.app, { first: {}, second: {} });
      await breakUpstream(nameOf('first'), { kind: 'stone-lithography' });
      expect(await listed()).toContain(id);
      await breakUpstream(nameOf('second'), { settings: '{"plate":"tin"}' });
      const user = await api.app.addUser({ money: '1' });
      const answer = await api.ask(generation, { model: id }, { user });
      expect(outcomeOf(answer)).toEqual({
        status: 503,
        code: 'model_unavailable',
        param: 'model',
      });
      expect(answer.headers.get('x-should-retry')).toBe('false');
      expect(await listed()).not.toContain(id);
      expect(await api.get(`/v1/models/${id}`)).toMatchObject({ status: 404 });
      expect(await spentBy(api.app.database, user)).toEqual([]);
      expect(await violationsOf(api.app.database)).toEqual([]);
    });

    async function listed(): Promise<string[]> {
      const { body } = await api.get('/v1/models');
      return exactly(modelListSchema, body).data.map(({ id }) => id);
    }
  });

  describe('an upstream that cannot do what is asked', () => {
    test.each(waysToEdit)('is passed over for one that can, by $name', async (way) => {
      const { id } = await serveModel(api.app, { painter, editor: {} });
      const answer = await api.ask(way, { model: id });
      expect(imagesOf(answer).data).toHaveLength(1);
      expect(await wayOf(api.app, answer)).toEqual(['editor: picture']);
    });

    test('is the first to be asked for what it can do', async () => {
      const { id } = await serveModel(api.app, { painter, editor: steady });
      const answer = await api.ask(generation, { model: id });
      expect(await wayOf(api.app, answer)).toEqual(['painter: unavailable', 'editor: picture']);
    });

    test('makes it a 400 where no other can', async () => {
      const { id } = await serveModel(api.app, { painter });
      const user = await api.app.addUser({ money: '1' });
      expect(outcomeOf(await api.ask(jsonEdit, { model: id }, { user }))).toEqual(wrong('model'));
      expect(await spentBy(api.app.database, user)).toEqual([]);
    });

    test('tells so in the list of models, where the others add what they can', async () => {
      const alone = await serveModel(api.app, { painter });
      const together = await serveModel(api.app, { painter, editor: {} });
      expect(await capabilities(alone.id)).toMatchObject({
        operations: ['generation'],
        reference_images_max: 0,
        mask: false,
        partial_images: false,
        transparent_background: false,
        stream: true,
      });
      expect(await capabilities(together.id)).toMatchObject({
        operations: ['generation', 'edit'],
        qualities: ['auto', 'low', 'medium', 'high'],
        reference_images_max: 16,
        mask: true,
        partial_images: true,
        transparent_background: true,
      });
    });

    async function capabilities(id: string) {
      const { body } = await api.get('/v1/models');
      const { data } = exactly(modelListSchema, body);
      return data.find((model) => model.id === id)?.capabilities;
    }
  });

  describe('an upstream that is down', () => {
    test('is not called any more after five failures in a row', async () => {
      const { id, calls } = await serveModel(api.app, { first: {}, second: steady });
      const prompt = 'a fox [[fail=unavailable]]';
      for (let i = 0; i < 5; i++) {
        const answer = await api.ask(generation, { model: id, prompt });
        expect(await wayOf(api.app, answer)).toEqual(['first: unavailable', 'second: picture']);
      }
      const answer = await api.ask(generation, { model: id });
      expect(imagesOf(answer).data).toHaveLength(1);
      expect(await wayOf(api.app, answer)).toEqual([
        'first: skipped breaker_open',
        'second: picture',
      ]);
      expect(calls('first')).toBe(5);
    });

    test('fails its model at once, uncharged, where there is no other', async () => {
      const { id, calls } = await serveModel(api.app, { first: {}, second: {} });
      const user = await api.app.addUser({ money: '1' });
      const fields = { model: id, prompt: 'a fox [[fail=timeout]]' };
      for (let i = 0; i < 5; i++) await api.ask(generation, fields, { user });
      const answer = await api.ask(generation, { model: id }, { user });
      expect(outcomeOf(answer)).toMatchObject({ status: 503, code: 'unavailable' });
      expect(await wayOf(api.app, answer)).toEqual([
        'first: skipped breaker_open',
        'second: skipped breaker_open',
      ]);
      expect([calls('first'), calls('second')]).toEqual([5, 5]);
      expect(await spentBy(api.app.database, user)).toEqual([]);
      expect(await violationsOf(api.app.database)).toEqual([]);
    });

    test('is not one that only refuses prompts or is busy', async () => {
      const { id, calls } = await serveModel(api.app, { first: {}, second: steady });
      for (const fault of ['refused', 'busy', 'protocol', 'auth', 'quota', 'unsupported']) {
        await api.ask(generation, { model: id, prompt: `a fox [[fail=${fault}]]` });
      }
      expect(calls('first')).toBe(6);
      expect(await wayOf(api.app, await api.ask(generation, { model: id }))).toEqual([
        'first: picture',
      ]);
    });
  });

  test('where all upstreams rest, the caller is told for how long', async () => {
    const { id } = await serveModel(api.app, { only: {} });
    const user = await api.app.addUser({ money: '1' });
    const prompt = 'a fox [[fail=busy,retry_after=90s]]';
    await api.ask(generation, { model: id, prompt });
    const answer = await api.ask(generation, { model: id }, { user });
    expect(outcomeOf(answer)).toMatchObject({ status: 503, code: 'unavailable' });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(80);
    expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(90);
    expect(await spentBy(api.app.database, user)).toEqual([]);
  });

  test('an upstream that asked for a pause is left alone meanwhile', async () => {
    const { id, calls } = await serveModel(api.app, { first: {}, second: steady });
    const prompt = 'a fox [[fail=busy,retry_after=600s]]';
    await api.ask(generation, { model: id, prompt });
    const answer = await api.ask(generation, { model: id });
    expect(await wayOf(api.app, answer)).toEqual([
      'first: skipped cooling_down',
      'second: picture',
    ]);
    expect(calls('first')).toBe(1);
  });
});
