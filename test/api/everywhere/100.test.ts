/** Clients that send `Expect: 100-continue` and keep their body until they are asked for it. */
import { expect, test } from 'vitest';
import { describeApi, outcomeOf } from '../../support/callers/api.ts';
import { type RawAnswer, RawConnection } from '../../support/callers/raw-http.ts';
import { smallPrompt } from '../../support/callers/ways-to-ask.ts';
import { reportSecret } from '../../support/money/payment-report.ts';

const report = { path: '/webhooks/payments', headers: ['tintype-signature: t=1,v1=00'] };
const signIn = { path: '/api/console/sign-in', headers: ['x-tintype-console: 1'] };

describeApi(
  (api) => {
    const offer = async ({ path, headers }: typeof report, version = '1.1') => {
      const body = JSON.stringify({ model: 'gen-image-2', prompt: smallPrompt });
      const connection = await RawConnection.open(api.app.baseUrl);
      const lines = [
        `POST ${path} HTTP/${version}`,
        'Host: a',
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        'Expect: 100-continue',
        ...headers,
      ];
      connection.send(`${lines.join('\r\n')}\r\n\r\n`);
      return { connection, body };
    };
    const outcome = ({ headers, ...answer }: RawAnswer) =>
      outcomeOf({ ...answer, headers: new Headers(headers) });

    test.each([report, signIn])('$path asks for the body that it reads', async (address) => {
      const { connection, body } = await offer(address);
      expect(await connection.answer()).toMatchObject({ status: 100 });
      connection.send(body);
      expect(outcome(await connection.answer())).toMatchObject({ status: 400 });
      connection.close();
    });

    test.each([
      ['without a signature', { ...report, headers: [] }, 400],
      ['from another site', { ...signIn, headers: ['origin: https://elsewhere.example'] }, 403],
    ])('a body %s is not asked for', async (_what, address, status) => {
      const { connection } = await offer(address);
      expect(outcome(await connection.answer())).toMatchObject({ status });
      connection.close();
    });

    test('HTTP/1.0 has no such answer, so that its client would take it for the last', async () => {
      const headers = [`Authorization: Bearer ${api.user.apiKey}`];
      const { connection, body } = await offer({ path: '/v1/images/generations', headers }, '1.0');
      connection.send(body);
      expect(await connection.answer()).toMatchObject({ status: 200 });
      connection.close();
    });
  },
  { config: { paymentWebhookSecret: reportSecret } },
);
