import { expect, test } from 'vitest';
import { cancelAnswerSchema } from '../../../shared/console/playground.ts';
import { settledStateSchema } from '../../../shared/console/trace.ts';
import { startTestApp } from '../../support/app.ts';
import { addConsoleUser, browserOf } from '../../support/console/console-user.ts';
import { pageHeaders } from '../../support/console/visitor.ts';
import { forEachEngine } from '../../support/databases/databases.ts';
import { exactly } from '../../support/exactly.ts';
import { violationsOf, walletOf } from '../../support/money/spending.ts';
import { patience } from '../../support/patience.ts';

forEachEngine((engine) => {
  test('a request in the playground is canceled by way of another process', async () => {
    const location = engine.locationOf(await engine.open());
    const app = await startTestApp(location);
    const user = await addConsoleUser(app);
    const other = await startTestApp(location, { isBare: true });
    const browserThere = await browserOf(other, user.id);
    const leaving = new AbortController();
    const body = { model: 'gen-image-2', prompt: 'a fox [[delay=60s]]', stream: true };
    const answer = await fetch(`${app.baseUrl}/api/console/images/generations`, {
      method: 'POST',
      headers: {
        ...pageHeaders,
        'content-type': 'application/json',
        'idempotency-key': 'a-job',
        cookie: user.browser.cookieHeader,
      },
      body: JSON.stringify(body),
      signal: leaving.signal,
    });
    expect(answer.status).toBe(200);
    const traceId = answer.headers.get('x-request-id');

    const canceled = await browserThere.post('/images/cancel', { idempotency_key: 'a-job' });
    expect(exactly(cancelAnswerSchema, canceled.body)).toEqual({
      state: 'elsewhere',
      trace_id: traceId,
    });
    leaving.abort();
    const state = async () =>
      exactly(settledStateSchema, (await browserThere.get(`/requests/${traceId}`)).body);
    await expect.poll(state, patience).toMatchObject({ status: 'canceled', charge: null });
    expect(await walletOf(app.database, user.id)).toBe('100.00 balance, 0.00 held, 0 slots');
    expect(await violationsOf(app.database)).toEqual([]);
    await Promise.all([app.stop(), other.stop()]);
  });
});
