/** Bodies that come too slowly, and answers that are not taken, hold nothing for long. */
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { logListSchema } from '../../../shared/console/admin-log.ts';
import { describeApi } from '../../support/callers/api.ts';
import { openSocket, readToEnd, uploadOf } from '../../support/callers/upload-socket.ts';
import { enterAsAdmin, sent } from '../../support/console/admin-world.ts';
import { reportSecret } from '../../support/money/payment-report.ts';
import { pngOfLength } from '../../support/pictures.ts';

const mebibyte = 1_048_576;
const patience = { timeout: 60_000, interval: 20 };

describe('a body that stops coming', () => {
  describeApi(
    (api) => {
      test('is cut with a 408', async () => {
        const { head, body } = uploadOf(pngOfLength(2 * mebibyte), api.user.apiKey);
        const socket = openSocket(api.app.baseUrl);
        const received = readToEnd(socket);
        socket.write(head);
        socket.write(body.subarray(0, mebibyte));
        const answer = await received;
        expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
        expect(answer).toContain('"code":"invalid_request_error"');
        expect(answer).toMatch(/connection: close/i);
        expect(answer).toContain('stopped coming for 0.4 seconds');
        await expect.poll(() => api.app.app.memoryBudget.used, patience).toBe(0);
      });

      test('is in the log of requests with the status that went out', async () => {
        const world = await enterAsAdmin(api);
        const { head } = uploadOf(pngOfLength(2 * mebibyte), world.user.apiKey);
        const socket = openSocket(api.app.baseUrl);
        const received = readToEnd(socket);
        socket.write(head);
        expect(await received).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
        const path = `/admin/log?user=${world.user.id}&code=slow_upload`;
        const listed = async () =>
          logListSchema.parse((await sent(world, 'GET', { path })).body).items;
        // Refused requests are written down a little later.
        await expect.poll(listed, patience).toMatchObject([{ status: 'failed', http_status: 408 }]);
      });

      test.each(['/api/console/sign-in', '/webhooks/payments'])(
        'is cut with a 408 at %s, where nobody has shown who they are',
        async (path) => {
          const socket = openSocket(api.app.baseUrl);
          const received = readToEnd(socket);
          socket.write(`POST ${path} HTTP/1.1\r\nhost: localhost\r\n`);
          socket.write('x-tintype-console: 1\r\ntintype-signature: none\r\n');
          socket.write('content-type: application/json\r\ncontent-length: 100\r\n\r\n{');
          const answer = await received;
          expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
          expect(answer).toMatch(/connection: close/i);
        },
      );
    },
    { config: { uploadIdleMs: 400, paymentWebhookSecret: reportSecret } },
  );
});

describe('a body that trickles', () => {
  describeApi(
    (api) => {
      test('is cut with a 408 when its time is over', async () => {
        const { head, body } = uploadOf(pngOfLength(2 * mebibyte), api.user.apiKey);
        const socket = openSocket(api.app.baseUrl);
        const received = readToEnd(socket);
        socket.write(head);
        let at = 0;
        const drip = setInterval(() => socket.write(body.subarray(at, (at += 10))), 50);
        const answer = await received;
        clearInterval(drip);
        expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
        expect(answer).toContain('did not arrive within 1 seconds');
        await expect.poll(() => api.app.app.memoryBudget.used, patience).toBe(0);
      });
    },
    { config: { uploadTimeoutMs: 1_000 } },
  );
});

describe('a body that comes in time', () => {
  describeApi((api) => {
    test('is read, whatever its pauses', async () => {
      const { head, body } = uploadOf(pngOfLength(1_000), api.user.apiKey);
      const socket = openSocket(api.app.baseUrl);
      socket.write(head);
      socket.write(body.subarray(0, 500));
      await expect.poll(() => api.app.app.memoryBudget.used, patience).toBe(body.length);
      socket.write(body.subarray(500));
      // Node documents this as the event's argument.
      const [first] = (await once(socket, 'data')) as [Buffer];
      expect(first.toString('latin1')).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
      socket.destroy();
    });
  });
});

describe('an answer that is not taken', () => {
  describeApi(
    (api) => {
      test.each([
        ['plain', {}],
        ['streamed', { stream: true }],
      ])('is cut, and gives back its memory: %s', async (_name, fields) => {
        const user = await api.app.addUser();
        const { used } = api.app.app.memoryBudget;
        const before = used;
        // More than the buffers of two sockets hold.
        const body = JSON.stringify({
          model: 'gen-image-2.5-flare',
          prompt: 'a fox [[actual=32x32]] [[bytes=12M]]',
          ...fields,
        });
        const socket = openSocket(api.app.baseUrl);
        socket.pause();
        socket.write(
          `POST /v1/images/generations HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${user.apiKey}\r\n` +
            `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
        );
        await expect.poll(() => api.app.app.memoryBudget.used, patience).toBeGreaterThan(before);
        await expect.poll(() => api.app.app.memoryBudget.used, patience).toBe(before);
        // It was there to be taken: what leaves in the middle pays.
        const { charges } = await chargesOf(user.id);
        expect(charges).toBe(1);
        socket.destroy();
      });

      async function chargesOf(userId: string) {
        const rows = await api.app.database.kysely
          .selectFrom('wallet_transactions')
          .select('kind')
          .where('user_id', '=', userId)
          .execute();
        return { charges: rows.filter(({ kind }) => kind === 'charge').length };
      }
    },
    { config: { deliveryTimeoutMs: 400, graceMs: 0 } },
  );
});
