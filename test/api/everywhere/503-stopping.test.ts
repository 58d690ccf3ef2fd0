import { expect, test } from 'vitest';
import { answerOf, errorOf, outcomeOf } from '../../support/api.ts';
import { startTestApp } from '../../support/app.ts';
import { forEachEngine } from '../../support/databases.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { RawConnection } from '../../support/raw-http.ts';
import { generation } from '../../support/ways-to-ask.ts';

forEachEngine((engine) => {
  test('a service that stops refuses new requests and finishes those it has', async () => {
    const clock = new ManualClock();
    const app = await startTestApp(engine.locationOf(await engine.open()), { clock });
    const user = await app.addUser();
    const ask = async (prompt: string) =>
      answerOf(await app.post(generation.path, user, { model: 'gen-image-2', prompt }));
    const idle = clock.sleeping;
    const running = ask('a fox [[actual=32x32]] [[delay=10s]]');
    // Its deadline and the sandbox's delay.
    await clock.untilSleeping(idle + 2);

    const stopping = app.stop();
    const refused = await ask('another fox');
    expect(outcomeOf(refused)).toEqual({ status: 503, code: 'unavailable', param: null });
    expect(errorOf(refused).type).toBe('server_error');
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(refused.headers.get('connection')).toBe('close');
    const readiness = await answerOf(await fetch(`${app.baseUrl}/readyz`));
    expect(outcomeOf(readiness)).toMatchObject({ status: 503, code: 'unavailable' });
    expect((await fetch(`${app.baseUrl}/healthz`)).status).toBe(200);

    clock.advance(10_000);
    expect(await running).toMatchObject({ status: 200 });
    await stopping;
  });

  test('connections that were opened and never used do not keep a service from stopping', async () => {
    const clock = new ManualClock();
    const app = await startTestApp(engine.locationOf(await engine.open()), { clock });
    const connection = await RawConnection.open(app.baseUrl);
    // The clock stands still, so it cannot be the limit of its patience that ends it.
    await app.stop();
    await connection.closed();
    expect(connection.received).toBe('');
  });
});
