/** The usage log by upstream: what each did, and that all of it adds up to the log. */
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { logListSchema, upstreamSumsSchema } from '../../../../shared/console/admin-log.ts';
import { comparedRequestsMax } from '../../../../shared/console/compare-limits.ts';
import { describeApi, outcomeOf, wrong } from '../../../support/callers/api.ts';
import { type AdminWorld, enterAsAdmin, sent } from '../../../support/console/admin-world.ts';
import { exactly } from '../../../support/exactly.ts';
import { addUsageRows, usageRow } from '../../../support/history/usage-rows.ts';

const model = 'gen-image-2.5-flare';

describeApi((api) => {
  let world: AdminWorld;
  let of: string;
  beforeAll(async () => {
    world = await enterAsAdmin(api);
    of = `user=${world.user.id}`;
  });

  const generate = async (fields: object) => {
    const answer = await api.app.post('/v1/images/generations', world.user, { model, ...fields });
    await answer.arrayBuffer();
    return answer.headers.get('x-request-id') ?? '';
  };
  const summed = async (query: string) => {
    const answer = await sent(world, 'GET', { path: `/admin/log/upstreams?${query}` });
    return exactly(upstreamSumsSchema, answer.body).rows;
  };
  const totalsOf = async (query: string) =>
    logListSchema.parse((await sent(world, 'GET', { path: `/admin/log?${query}` })).body).totals;

  it('counts requests, calls and failures, and shares out what was charged and returned', async () => {
    const three = await generate({ prompt: 'three foxes', n: 3 });
    await generate({ prompt: '[[fail=unavailable]] [[times=1]] a boat' });
    await generate({ prompt: '[[fail=refused]] a boat' });
    const body = { amount: '0.05', reason: 'one was grey' };
    await sent(world, 'POST', { path: `/admin/log/${three}/refund`, body });
    expect(await summed(of)).toMatchObject([
      {
        upstream: 'sandbox',
        model,
        requests: 3,
        attempts: 6,
        failed: 2,
        images: 4,
        charged: { text: '0.16' },
        refunded: { text: '0.05' },
        spend: { text: '0.11' },
        median_ms: expect.any(Number),
      },
    ]);
    const { charged, refunded, spend } = await totalsOf(of);
    expect([charged.text, refunded.text, spend.text]).toEqual(['0.16', '0.05', '0.11']);
  });

  it('tells apart the upstreams of one request, to the last micro of what was returned', async () => {
    const { user: owner } = world;
    const made = (upstream: string, picture: number, ms: number) => ({
      ...{ picture, attempt: 1, upstream, duration_ms: ms, fault: null, skipped: null },
    });
    const failed = { ...made('north', 2, 9), fault: 'busy' };
    const passed = { ...made('east', 2, 0), attempt: 0, skipped: 'full' };
    const attempts = [made('north', 0, 100), made('south', 1, 30), failed, passed];
    const row = usageRow({ userId: owner.id }, Date.now() - 60_000, {
      ...{ model: 'shared', images: 3, unit_price: 10, cost: 30 },
      attempts: JSON.stringify([...attempts, made('south', 2, 50)]),
    });
    await addUsageRows(api.app.database, [row]);
    await addRefund({ traceId: row.trace_id, userId: owner.id, micros: 10 });
    const rows = await summed(`${of}&model=shared`);
    expect(
      rows.map(({ upstream, requests, attempts: calls, failed: bad, images, ...money }) => [
        ...[upstream, requests, calls, bad, images, money.median_ms],
        ...[money.charged.micros, money.refunded.micros, money.spend.micros],
      ]),
    ).toEqual([
      ['south', 1, 2, 0, 2, 30, 20, 7, 13],
      ['north', 1, 2, 1, 1, 100, 10, 3, 7],
    ]);
  });

  it('has what no upstream was called for last, and nothing charged for a picture that nobody got', async () => {
    const at = Date.now() - 60_000;
    const owner = { userId: world.user.id };
    const west = JSON.stringify([{ upstream: 'west', duration_ms: 7 }]);
    const unnamed = { model: null, code: 'invalid_request_error', status: 'failed' } as const;
    await addUsageRows(api.app.database, [
      usageRow(owner, at, { ...unnamed, operation: 'edit' }),
      usageRow(owner, at, { operation: 'edit', status: 'canceled', attempts: west }),
      usageRow(owner, at, { operation: 'edit', attempts: west }),
    ]);
    const rows = await summed(`${of}&operation=edit`);
    expect(
      rows.map(({ upstream, requests, attempts: calls, images, charged }) => [
        ...[upstream, requests, calls, images, charged.micros],
      ]),
    ).toEqual([
      ['west', 2, 2, 1, 40_000],
      [null, 1, 0, 0, 0],
    ]);
  });

  it('gives the same as a file', async () => {
    const answer = await world.visitor.get(`/admin/log/upstreams.csv?${of}&model=shared`);
    expect(answer.headers.get('content-disposition')).toContain('filename="upstreams_');
    expect(answer.text.trimEnd().split('\r\n').slice(1)).toEqual([
      'south,shared,1,2,0,2,30,0.00002,0.000007,0.000013,13,USD',
      'north,shared,1,2,1,1,100,0.00001,0.000003,0.000007,7,USD',
    ]);
  });

  it('refuses to compare more requests than it reads at once, and a filter that is none', async () => {
    const { id } = world.admin;
    const at = Date.now() - 60_000;
    const add = async (first: number, last: number) =>
      sql`insert into usage_records (trace_id, user_id, operation, status, images_requested, images, unit_price, cost, stream, started_at)
        with recursive numbers (n) as (select ${sql.lit(first)} union all select n + 1 from numbers where n < ${sql.lit(last)})
        select 'tr_many_' || n, ${id}, 'generation', 'failed', 1, 0, 0, 0, 0, ${sql.lit(at)} from numbers`.execute(
        api.app.database.kysely,
      );
    // In pieces that each are written well within the time that a statement has.
    for (let first = 1; first <= comparedRequestsMax; first += 20_000) {
      await add(first, Math.min(first + 19_999, comparedRequestsMax));
    }
    expect(await summed(`user=${id}`)).toMatchObject([{ requests: comparedRequestsMax }]);
    await add(comparedRequestsMax + 1, comparedRequestsMax + 1);
    for (const path of ['/admin/log/upstreams', '/admin/log/upstreams.csv']) {
      const answer = await world.visitor.get(`${path}?user=${id}`);
      expect(outcomeOf(answer)).toEqual(wrong('range'));
      expect(answer.text).toContain('Choose a shorter range or more filters.');
      expect(outcomeOf(await world.visitor.get(`${path}?status=eaten`))).toEqual(wrong('status'));
    }
  });

  function addRefund({
    traceId,
    userId,
    micros,
  }: Record<'traceId' | 'userId', string> & { micros: number }) {
    return api.app.database.transaction((trx) =>
      trx.kysely
        .insertInto('wallet_transactions')
        .values({
          ...{ id: `txn_${traceId}`, user_id: userId, seq: 9_000, kind: 'refund', amount: micros },
          ...{
            balance_after: micros,
            trace_id: traceId,
            actor: 'test',
            reason: 'as the test says',
          },
          ...{ created_at: Date.now(), reference: null, ordered: null },
        })
        .execute(),
    );
  }
});
