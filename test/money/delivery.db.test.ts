/** When an answer counts as handed over: not while this process still holds a part of it. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Database } from '../../server/db/db.ts';
import { collectMs } from '../../server/flows/money/note-deliveries.ts';
import { startTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { forEachEngine } from '../support/databases/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { refuseWrongBooks, walletOf } from '../support/money/spending.ts';
import { patience } from '../support/patience.ts';

/** More than the sockets between client and service take in while nobody reads. */
const largePicture = '[[actual=16x16]] [[bytes=24M]]';
const smallPicture = '[[actual=16x16]]';
const graceMs = 1_000;

forEachEngine((engine) => {
  let database: Database;
  let app: TestApp;
  let user: TestUser;

  beforeEach(async () => {
    database = await engine.open();
    app = await startTestApp(engine.locationOf(database), {
      config: { graceMs },
    });
    onTestFinished(() => isServing().then((serving) => (serving ? app.stop() : undefined)));
    user = await app.addUser();
  });

  /** The answer's head; its body waits to be read. */
  async function ask(body: object, { baseUrl } = app): Promise<IncomingMessage> {
    const sent = request(`${baseUrl}/v1/images/generations`, {
      method: 'POST',
      agent: false,
      headers: { authorization: `Bearer ${user.apiKey}`, 'content-type': 'application/json' },
    });
    sent.end(JSON.stringify({ model: 'gen-image-2', quality: 'low', ...body }));
    // The response is the only argument of this event.
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.on('error', () => {});
    return response;
  }

  async function isDelivered({ headers }: IncomingMessage): Promise<boolean> {
    const hold = await app.database.kysely
      .selectFrom('holds')
      .select('delivered_at')
      .where('trace_id', '=', String(headers['x-request-id']))
      .where('state', '=', 'settled')
      .executeTakeFirst();
    return typeof hold?.delivered_at === 'number';
  }

  async function isServing(): Promise<boolean> {
    try {
      return (await fetch(`${app.baseUrl}/readyz`)).ok;
    } catch {
      // It does not even listen any more.
      return false;
    }
  }

  /** Whatever was noted before this one is in the database with it. */
  async function deliverAnother(): Promise<void> {
    const other = await ask({ prompt: smallPicture });
    other.resume();
    await expect.poll(() => isDelivered(other)).toBe(true);
  }

  describe.each([
    ['an answer', {}],
    ['a stream', { stream: true }],
  ])('%s', (_name, form) => {
    it('that its client is still reading is not yet delivered', async () => {
      const answer = await ask({ prompt: largePicture, ...form });
      await once(answer, 'readable');
      await deliverAnother();
      expect(await isDelivered(answer)).toBe(false);
      answer.resume();
      await once(answer, 'end');
      await expect.poll(() => isDelivered(answer)).toBe(true);
    });

    it('that its client is still reading arrives whole when the service stops', async () => {
      const answer = await ask({ prompt: largePicture, ...form });
      await once(answer, 'readable');
      const stopped = app.stop();
      await expect.poll(isServing).toBe(false);
      answer.resume();
      await once(answer, 'end');
      expect(answer.complete).toBe(true);
      await stopped;
    });

    it('that the stop of the service cuts off is not paid for, and no leak is warned of', async () => {
      const warnings: string[] = [];
      const note = ({ message }: Error) => warnings.push(message);
      process.on('warning', note);
      onTestFinished(() => void process.off('warning', note));
      const hurried = await startTestApp(engine.locationOf(database), {
        config: { graceMs, shutdownLimitMs: 500 },
      });
      const answer = await ask({ prompt: largePicture, ...form }, hurried);
      await once(answer, 'readable');
      expect(await walletOf(database, user.id)).toBe('99.97 balance, 0.00 held, 0 slots');
      await hurried.stop();
      answer.resume();
      await expect(once(answer, 'end')).rejects.toThrow('aborted');
      expect(await walletOf(database, user.id)).toBe('100.00 balance, 0.00 held, 0 slots');
      await refuseWrongBooks(database);
      expect(warnings).toEqual([]);
    });

    it('that its client left in the middle, and does not come back for, was its to take', async () => {
      const clock = new ManualClock();
      const still = await startTestApp(engine.locationOf(database), { clock, config: { graceMs } });
      onTestFinished(() => still.stop());
      const answer = await ask({ prompt: largePicture, ...form }, still);
      await once(answer, 'readable');
      answer.destroy();
      await clock.untilSleepingFor(graceMs);
      // It may still come back for the whole.
      expect([await isDelivered(answer), clock.sleepingFor(collectMs)]).toEqual([false, 0]);
      clock.advance(graceMs);
      await clock.untilSleepingFor(collectMs);
      clock.advance(collectMs);
      await expect.poll(() => isDelivered(answer), patience).toBe(true);
    });
  });
});
