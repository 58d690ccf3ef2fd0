/** What becomes of a request whose first upstream fails. */
import { describe, expect, test } from 'vitest';
import { imagesOf } from '../../support/callers/answers.ts';
import { describeApi, outcomeOf } from '../../support/callers/api.ts';
import { readEventStream } from '../../support/callers/event-stream.ts';
import { generation } from '../../support/callers/ways-to-ask.ts';
import { violationsOf, walletOf } from '../../support/money/spending.ts';
import { spentBy } from '../../support/money/spent.ts';
import { attemptsOf, serveModel, wayOf } from '../../support/upstreams/served-model.ts';

/** Takes a directive in the prompt for words, so that what makes the first fail does nothing here. */
const steady = { settings: { directives: 'off' } };

describeApi((api) => {
  describe('an upstream that fails is followed by the next, for one charge', () => {
    test.each([
      ...['busy', 'unavailable', 'timeout', 'auth', 'quota', 'unsupported', 'protocol'].map(
        (fault) => [`fail=${fault}`, fault],
      ),
      ['drop', 'unavailable'],
      ...['corrupt', 'truncate', 'empty', 'text'].map((answer) => [answer, 'protocol']),
    ])('%s', async (directive, fault) => {
      const { id } = await serveModel(api.app, { first: {}, second: steady });
      const user = await api.app.addUser({ money: '1' });
      const prompt = `a fox [[${directive}]]`;
      const answer = await api.ask(generation, { model: id, prompt }, { user });
      expect(imagesOf(answer).data).toHaveLength(1);
      expect(answer.headers.get('x-tintype-cost')).toBe('0.10');
      expect(await wayOf(api.app, answer)).toEqual([`first: ${fault}`, 'second: picture']);
      expect(await spentBy(api.app.database, user)).toEqual(['0.10']);
      expect(await violationsOf(api.app.database)).toEqual([]);
    });

    test('in a stream too, where partial images go on with their count', async () => {
      const { id } = await serveModel(api.app, { first: {}, second: steady });
      const user = await api.app.addUser({ money: '1' });
      const prompt = 'a fox [[fail=unavailable@partial1]]';
      const fields = { model: id, prompt, stream: true, partial_images: 2 };
      const answer = await api.ask(generation, fields, { user });
      const { events } = readEventStream(answer.text);
      expect(events.map(({ name, data }) => [name, data['partial_image_index']])).toEqual([
        ['image_generation.partial_image', 0],
        ['image_generation.partial_image', 1],
        ['image_generation.completed', undefined],
      ]);
      expect(await wayOf(api.app, answer)).toEqual(['first: unavailable', 'second: picture']);
      expect(await spentBy(api.app.database, user)).toEqual(['0.10']);
    });

    test('for each of n pictures', async () => {
      const { id, calls } = await serveModel(api.app, { first: {}, second: steady });
      const user = await api.app.addUser({ money: '1' });
      const fields = { model: id, prompt: 'a fox [[fail=protocol]]', n: 3 };
      const answer = await api.ask(generation, fields, { user });
      expect(imagesOf(answer).data).toHaveLength(3);
      expect([calls('first'), calls('second')]).toEqual([3, 3]);
      expect(await spentBy(api.app.database, user)).toEqual(['0.30']);
      expect(await violationsOf(api.app.database)).toEqual([]);
    });
  });

  describe('nothing else is tried', () => {
    test.each(['refused', 'bad_request'])('after %s, which is a 400', async (fault) => {
      const { id, calls } = await serveModel(api.app, { first: {}, second: steady });
      const user = await api.app.addUser({ money: '1' });
      const fields = { model: id, prompt: `a fox [[fail=${fault}]]` };
      const answer = await api.ask(generation, fields, { user });
      expect(outcomeOf(answer)).toEqual({
        status: 400,
        code: 'invalid_request_error',
        param: null,
      });
      expect(await wayOf(api.app, answer)).toEqual([`first: ${fault}`]);
      expect([calls('first'), calls('second')]).toEqual([1, 0]);
      expect(await walletOf(api.app.database, user.id)).toBe('1.00 balance, 0.00 held, 0 slots');
      expect(await violationsOf(api.app.database)).toEqual([]);
    });

    test('after two attempts that the operator may have to pay', async () => {
      const { id, calls } = await serveModel(api.app, { first: {}, second: {}, third: steady });
      const user = await api.app.addUser({ money: '1' });
      const answer = await api.ask(generation, { model: id, prompt: 'a fox [[drop]]' }, { user });
      expect(outcomeOf(answer)).toMatchObject({ status: 502, code: 'upstream_error' });
      expect(calls('third')).toBe(0);
      const attempts = await attemptsOf(api.app, answer);
      expect(attempts.map((each) => each.possibly_charged)).toEqual([true, true]);
      expect(await spentBy(api.app.database, user)).toEqual([]);
    });

    test('after three attempts', async () => {
      const servers = { first: {}, second: {}, third: {}, fourth: steady };
      const { id, calls } = await serveModel(api.app, servers);
      const prompt = 'a fox [[fail=protocol]]';
      const answer = await api.ask(generation, { model: id, prompt });
      expect(outcomeOf(answer)).toMatchObject({ status: 502, code: 'upstream_error' });
      expect(calls('fourth')).toBe(0);
    });
  });

  describe('the order', () => {
    test('is that of the priorities, whatever the weights', async () => {
      const servers = { first: { priority: 5, weight: 1000 }, second: { priority: 1, weight: 1 } };
      const { id } = await serveModel(api.app, servers);
      const answer = await api.ask(generation, { model: id, prompt: 'a fox [[fail=protocol]]' });
      expect(await wayOf(api.app, answer)).toEqual(['second: protocol', 'first: protocol']);
    });

    test('within a priority shares the requests among all', async () => {
      const servers = { first: { priority: 1 }, second: { priority: 1 } };
      const { id, calls } = await serveModel(api.app, servers);
      // That one of two gets all of 64 is a chance of 1 in 9 quintillions.
      for (let i = 0; i < 64 && calls('first') * calls('second') === 0; i++) {
        expect(await api.ask(generation, { model: id })).toMatchObject({ status: 200 });
      }
      expect(Math.min(calls('first'), calls('second'))).toBeGreaterThan(0);
    });
  });
});
