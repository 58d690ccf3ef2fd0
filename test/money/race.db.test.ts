/** Two hundred requests at the same time on money, or slots, for a few of them. */
import { expect, it } from 'vitest';
import type { Database } from '../../server/db/db.ts';
import { startTestApp } from '../support/app.ts';
import { imagesOf } from '../support/callers/answers.ts';
import { type Answer, errorOf, outcomeOf } from '../support/callers/api.ts';
import { forEachEngine } from '../support/databases/databases.ts';
import { addSpender, violationsOf, walletOf } from '../support/money/spending.ts';
import { askService, equip, startService } from '../support/processes/service-process.ts';

const requests = 200;
const affordable = 37;
/** 37 × 0.04. */
const money = '1.48';

const outOfMoney = { status: 429, code: 'insufficient_quota', param: null };
const outOfSlots = { status: 429, code: 'rate_limit', param: null };

forEachEngine((engine) => {
  it('of 200 requests on money for 37, 37 get their picture and 163 are told why not', async () => {
    const database = await engine.open();
    const app = await startTestApp(engine.locationOf(database));
    const spender = await addSpender(database, money, 1_000);
    const answers = await Promise.all(
      Array.from({ length: requests }, () => askService(app, spender)),
    );
    expectPaidOnce(answers);
    await app.stop();
    expect(await walletOf(database, spender.userId)).toBe('0.00 balance, 0.00 held, 0 slots');
    expect(await violationsOf(database)).toEqual([]);
    expect(await recordsOf(database, spender.userId)).toEqual({
      'failed insufficient_quota 0': requests - affordable,
      'succeeded null 40000': affordable,
    });
  });

  it('of 200 requests with 5 slots, no more than 5 run at once', async () => {
    const database = await engine.open();
    const app = await startTestApp(engine.locationOf(database));
    const spender = await addSpender(database, '100', 5);
    const slow = { prompt: 'a fox [[delay=1s]] [[actual=32x32]]' };
    const answers = await Promise.all(
      Array.from({ length: requests }, () => askService(app, spender, slow)),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    // All of them came within the second that the first five took, or found a slot after it.
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(5);
    for (const answer of refused) {
      expect(outcomeOf(answer)).toEqual(outOfSlots);
      expect(answer.headers.get('retry-after')).toBe('1');
    }
    expect(refused.length).toBeGreaterThan(0);
    await app.stop();
    expect(await violationsOf(database)).toEqual([]);
  });

  it('of 200 requests to two processes on money for 37, 37 get their picture', async () => {
    const database = await engine.open();
    await equip(database);
    const location = engine.locationOf(database);
    const services = await Promise.all([startService(location), startService(location)]);
    const spender = await addSpender(database, money, 1_000);
    const answers = await Promise.all(
      Array.from({ length: requests }, (_, i) => {
        const [one, two] = services;
        return askService(i % 2 === 0 ? one : two, spender);
      }),
    );
    expectPaidOnce(answers);
    expect(await walletOf(database, spender.userId)).toBe('0.00 balance, 0.00 held, 0 slots');
    expect(await violationsOf(database)).toEqual([]);
    for (const service of services) service.kill('SIGTERM');
    expect(await Promise.all(services.map(({ exit }) => exit))).toEqual([
      [0, null],
      [0, null],
    ]);
    expect(await violationsOf(database)).toEqual([]);
  });
});

function expectPaidOnce(answers: readonly Answer[]): void {
  const paid = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(paid).toHaveLength(affordable);
  for (const answer of paid) {
    expect(imagesOf(answer).data).toHaveLength(1);
    expect(answer.headers.get('x-tintype-cost')).toBe('0.04');
  }
  for (const answer of refused) {
    expect(outcomeOf(answer)).toEqual(outOfMoney);
    expect(errorOf(answer).message).toContain('0.04');
  }
  // Each charge left another balance: from 1.44 down to nothing.
  const balances = paid.map(({ headers }) => headers.get('x-tintype-balance'));
  expect(new Set(balances).size).toBe(affordable);
}

/** How many usage records there are of each status, code and cost. */
async function recordsOf(database: Database, userId: string): Promise<Record<string, number>> {
  const records = await database.kysely
    .selectFrom('usage_records')
    .select(['status', 'code', 'cost'])
    .where('user_id', '=', userId)
    .execute();
  const counts: Record<string, number> = {};
  for (const { status, code, cost } of records) {
    const name = `${status} ${code} ${cost}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
