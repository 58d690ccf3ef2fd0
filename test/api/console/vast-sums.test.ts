import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import type { UsageRecordRow } from '../../../server/db/schema.ts';
import { makeId } from '../../../server/lib/ids.ts';
import { overviewSchema } from '../../../shared/console/admin-overview.ts';
import { adminUsersSchema } from '../../../shared/console/admin-users.ts';
import { keyListSchema } from '../../../shared/console/keys.ts';
import { amountFromMicros, amountMax, formatAmount } from '../../../shared/money.ts';
import { answerOf, describeApi } from '../../support/callers/api.ts';
import { type AdminWorld, enterAsAdmin } from '../../support/console/admin-world.ts';
import { signedIn } from '../../support/console/visitor.ts';
import { exactly } from '../../support/exactly.ts';
import { addUsageRows, usageRow } from '../../support/history/usage-rows.ts';

const amount = formatAmount(amountFromMicros(amountMax));
const tooMuch = {
  code: 'unavailable',
  message:
    'What this adds up to is more than an amount can be. Where you can, choose a shorter range or more filters.',
};

describeApi((api) => {
  let world: AdminWorld;

  const order = (userId: string, change: string, number: number) =>
    world.visitor.post(`/admin/users/${userId}/wallet/orders`, {
      reference: `reference-${number}`,
      change,
      amount,
      reason: 'as the test says',
    });

  /** As they stand when administrators gave everything back, far behind what the wallet's own orders write. */
  async function addRefunds(rows: readonly UsageRecordRow[]): Promise<void> {
    const refunds = rows.map(({ trace_id, user_id, cost, started_at }, number) => ({
      id: makeId('txn', started_at),
      user_id,
      seq: 1_000 + number,
      kind: 'refund' as const,
      amount: cost,
      balance_after: cost,
      trace_id,
      actor: 'test',
      reason: 'as the test says',
      created_at: started_at,
      reference: null,
      ordered: null,
    }));
    await api.app.database.transaction((trx) =>
      trx.kysely.insertInto('wallet_transactions').values(refunds).execute(),
    );
  }

  beforeAll(async () => {
    world = await enterAsAdmin(api);
    const vast = { unit_price: amountMax, cost: amountMax };
    const owner = { userId: world.admin.id, apiKeyId: world.admin.apiKeyId };
    const rows = [
      usageRow(owner, Date.now() - 60_000, vast),
      usageRow(owner, Date.now() - 50_000, vast),
      usageRow(owner, Date.now() - 40_000, { ...vast, model: 'gen-image-9' }),
    ];
    await addUsageRows(api.app.database, rows);
    await addRefunds(rows);
  });

  test.each([
    '/usage?range=7d',
    '/usage/sums?range=7d&group=day',
    '/usage/chart?range=7d',
    '/admin/log?range=7d',
  ])('that are more than an amount can be are told, and not tried again: %s', async (path) => {
    const answer = await world.visitor.get(path);
    expect([answer.status, answer.headers.get('x-should-retry')]).toEqual([503, 'false']);
    expect(answer.body).toMatchObject({ error: tooMuch });
  });

  test('of parts that can be told are', async () => {
    expect((await world.visitor.get('/usage?range=7d&model=gen-image-9')).status).toBe(200);
  });

  test('of what came and went in a wallet likewise', async () => {
    const changes = ['set', 'deduct', 'add', 'deduct', 'add'];
    for (const [number, change] of changes.entries()) {
      expect((await order(world.user.id, change, number)).status).toBe(200);
    }
    const owner = await signedIn(api.app, world.user);
    const { body } = await owner.get('/wallet/transactions?range=7d');
    expect(body).toMatchObject({ error: tooMuch });
  });

  test('of days gone by keep nobody from a list, nor money from a wallet', async () => {
    const { id } = world.admin;
    const users = await world.visitor.get('/admin/users');
    const [user] = exactly(adminUsersSchema, users.body).users.filter((each) => each.id === id);
    expect(user).toMatchObject({ spend_30d: null, requests_30d: 3 });
    const keys = await world.visitor.get('/keys');
    expect(exactly(keyListSchema, keys.body).items).toMatchObject([{ spend_30d: null }]);
    expect((await order(id, 'set', 9)).body).toMatchObject({ user: { spend_30d: null } });
  });

  test('leave the overview without its spend', async () => {
    const { body } = await world.visitor.get('/admin/overview');
    expect(exactly(overviewSchema, body)).toMatchObject({ spend: null, requests: 3 });
  });

  test('that a key spent since it was issued keep no key from being shown, changed or refused', async () => {
    const { apiKeyId } = world.admin;
    const beyond = sql`cast(${String(amountMax)} as bigint) + 100`;
    await sql`update key_budgets set spent = ${beyond}, spent_in_month = ${beyond}, month = '9999-12'
      where api_key_id = ${apiKeyId}`.execute(api.app.database.kysely);
    const keys = exactly(keyListSchema, (await world.visitor.get('/keys')).body).items;
    expect(keys).toMatchObject([{ spent: null, spent_this_month: null }]);
    const path = `/keys/${apiKeyId}`;
    for (const limit of ['spend_limit', 'monthly_limit']) {
      expect((await world.visitor.ask('PATCH', path, { body: { [limit]: '5' } })).status).toBe(200);
      const refused = await answerOf(
        await api.app.post('/v1/images/generations', world.admin, {
          model: 'gen-image-2.5-flare',
          prompt: 'a boat',
        }),
      );
      expect(refused.body).toMatchObject({ error: { code: 'insufficient_quota' } });
      expect((await world.visitor.ask('PATCH', path, { body: { [limit]: null } })).status).toBe(
        200,
      );
    }
  });
});
