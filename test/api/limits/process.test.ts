/** Limits of the process that have no place among the endpoints, on both sides. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { lockWallet } from '../../../server/wallets/wallet-store.ts';
import { describeApi, outcomeOf } from '../../support/callers/api.ts';
import { field, file, formOf, wanted } from '../../support/callers/form-body.ts';
import { RawConnection } from '../../support/callers/raw-http.ts';
import { startSlowRequest } from '../../support/callers/slow-request.ts';
import { dot, formEdit, generation } from '../../support/callers/ways-to-ask.ts';
import { patience } from '../../support/patience.ts';

const timedOut = { status: 502, code: 'upstream_error', param: null };

describe('requests of one process at once', () => {
  describeApi(
    (api) => {
      test('are as many as the option says; one more is a 429', async () => {
        const slow = await startSlowRequest(api, await api.app.addUser());
        expect((await api.ask(generation)).status).toBe(200);
        const second = await startSlowRequest(api, await api.app.addUser());
        const refused = await api.ask(generation);
        expect(outcomeOf(refused)).toEqual({ status: 429, code: 'rate_limit', param: null });
        expect(refused.headers.get('retry-after')).toBe('1');
        await slow.leave();
        expect((await api.ask(generation)).status).toBe(200);
        await second.leave();
      });

      test('are no more when all of them come while nobody can be admitted', async () => {
        const user = await api.app.addUser();
        const ask = async () => (await api.ask(generation, {}, { user })).status;
        expect(await ask()).toBe(200);
        const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
        onTestFinished(() => end());
        const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>();
        const busy = api.app.database.transaction(async (trx) => {
          await lockWallet(trx, user.id);
          begin();
          await isOver;
        });
        await hasBegun;
        const answers: number[] = [];
        const asked = Array.from({ length: 5 }, async () => answers.push(await ask()));
        await expect.poll(() => answers, patience).toEqual([429, 429, 429]);
        end();
        await Promise.all([busy, ...asked]);
        expect(answers).toEqual([429, 429, 429, 200, 200]);
      });
    },
    { config: { requestsInFlightMax: 2, graceMs: 0 } },
  );
});

describe('answers under way', () => {
  describeApi(
    (api) => {
      test('are as many as there is memory for; one more is a 429', async () => {
        const [first, second] = await Promise.all([
          startSlowRequest(api, await api.app.addUser()),
          startSlowRequest(api, await api.app.addUser()),
        ]);
        const refused = await api.ask(generation);
        expect(outcomeOf(refused)).toEqual({ status: 429, code: 'rate_limit', param: null });
        expect(refused.headers.get('retry-after')).toBe('1');
        await first.leave();
        const poor = await api.app.addUser({ money: '0' });
        for (let i = 0; i < 3; i++) {
          const unpaid = await api.ask(generation, {}, { user: poor });
          expect(outcomeOf(unpaid)).toMatchObject({ code: 'insufficient_quota' });
        }
        expect((await api.ask(generation)).status).toBe(200);
        await second.leave();
      });
    },
    // Three quarters of it are for answers; of pictures that nobody knows, 1 MiB is expected.
    { config: { memoryBudgetBytes: 3 * 1_048_576, graceMs: 0 } },
  );
});

describe('the time for an answer', () => {
  describeApi(
    (api) => {
      test('ends what is not streamed, and leaves a stream its own', async () => {
        const late = await api.ask(generation, { prompt: 'a fox [[stall]]' });
        expect(outcomeOf(late)).toEqual(timedOut);
        const prompt = 'a fox [[actual=32x32]] [[delay=2s]]';
        expect((await api.ask(generation, { prompt, stream: true })).status).toBe(200);
      });
    },
    { config: { requestDeadlineMs: 1_000, streamDeadlineMs: 60_000 } },
  );
});

describe('the time for a stream', () => {
  describeApi(
    (api) => {
      test('ends a stream, and leaves what is not streamed its own', async () => {
        const prompt = 'a fox [[stall]]';
        expect(outcomeOf(await api.ask(generation, { prompt, stream: true }))).toEqual(timedOut);
        const slow = await api.ask(generation, { prompt: 'a fox [[actual=32x32]] [[delay=2s]]' });
        expect(slow.status).toBe(200);
      });
    },
    { config: { requestDeadlineMs: 60_000, streamDeadlineMs: 1_000 } },
  );
});

describeApi((api) => {
  const sendForm = (parts: readonly Buffer[]) =>
    api.send('POST', formEdit.path, formOf([...wanted({ model: 'gen-image-2' }), ...parts]));
  const headed = (lines: number, name = 'user') =>
    Buffer.from(
      `${'X-Line: 1\r\n'.repeat(lines - 1)}Content-Disposition: form-data; name="${name}"\r\n\r\nv`,
    );
  const image = file('image', dot);

  describe('a form', () => {
    test('may have 100 parts and no more', async () => {
      const others = (count: number) => Array.from({ length: count }, () => field('user', ''));
      expect((await sendForm([image, ...others(97)])).status).toBe(200);
      expect((await sendForm([image, ...others(98)])).status).toBe(400);
    });

    test('may have 32 lines in the header of a part and no more', async () => {
      expect((await sendForm([image, headed(32)])).status).toBe(200);
      expect((await sendForm([image, headed(33)])).status).toBe(400);
    });

    test('may have 16 KiB in the header of a part and no more', async () => {
      const sized = (bytes: number) => {
        const rest = 'Content-Disposition: form-data; name="user"\r\nX: ';
        return Buffer.from(`${rest}${'x'.repeat(bytes - rest.length)}\r\n\r\nv`);
      };
      expect((await sendForm([image, sized(16_384)])).status).toBe(200);
      expect((await sendForm([image, sized(16_385)])).status).toBe(400);
    });

    test('may have names of 128 characters and no longer', async () => {
      expect((await sendForm([image, headed(1, 'n'.repeat(128))])).status).toBe(200);
      expect((await sendForm([image, headed(1, 'n'.repeat(129))])).status).toBe(400);
    });

    test('may have a boundary of 200 characters and no longer', async () => {
      const parts = [...wanted({ model: 'gen-image-2' }), image];
      const send = (length: number) =>
        api.send('POST', formEdit.path, formOf(parts, 'b'.repeat(length)));
      expect((await send(200)).status).toBe(200);
      expect((await send(201)).status).toBe(400);
    });
  });

  test('the headers of a request may have nearly 16 KiB and no more', async () => {
    const statusWith = async (bytes: number) => {
      const connection = await RawConnection.open(api.app.baseUrl);
      connection.send(`GET /healthz HTTP/1.1\r\nHost: a\r\nX-A: ${'a'.repeat(bytes)}\r\n\r\n`);
      const { status } = await connection.answer();
      connection.close();
      return status;
    };
    expect(await statusWith(16_000)).toBe(200);
    expect(await statusWith(16_384)).toBe(431);
  });
});
