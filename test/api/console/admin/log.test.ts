import { beforeAll, describe, expect, it, vi } from 'vitest';
import { must } from '../../../../server/lib/assert.ts';
import { logDetailSchema, logListSchema } from '../../../../shared/console/admin-log.ts';
import { overviewSchema } from '../../../../shared/console/admin-overview.ts';
import { describeApi, outcomeOf, wrong } from '../../../support/callers/api.ts';
import {
  type AdminWorld,
  enterAsAdmin,
  makePaidPicture,
  sent,
} from '../../../support/console/admin-world.ts';
import { signedIn } from '../../../support/console/visitor.ts';

describeApi((api) => {
  let world: AdminWorld;
  let traceId: string;
  beforeAll(async () => {
    world = await enterAsAdmin(api);
    traceId = await makePaidPicture(world);
    const refused = await api.app.post('/v1/images/generations', world.user, { model: 'nothing' });
    await refused.arrayBuffer();
    // Refused requests are written down a little later.
    const areWritten = async () => (await listed(`user=${world.user.id}`)).totals.requests === 2;
    await vi.waitUntil(areWritten, { timeout: 15_000 });
  });

  const listed = async (query: string) =>
    logListSchema.parse((await sent(world, 'GET', { path: `/admin/log?${query}` })).body);

  it('shows with each request whose it was and what upstreams had to do with it', async () => {
    const { items } = await listed(`trace=${traceId}`);
    expect(items).toMatchObject([
      {
        trace_id: traceId,
        user: { id: world.user.id, email: world.user.email },
        model: 'gen-image-2.5-flare',
        requests: 1,
        images: 1,
        cost: { text: '0.04' },
        status: 'succeeded',
        upstream: 'sandbox',
        attempts: 1,
        http_status: 200,
        api_key: { name: 'test' },
      },
    ]);
  });

  it.each([
    ['the user by address', () => `user=${world.user.email}`, true],
    ['the user by ID', () => `user=${world.user.id}`, true],
    ['another user', () => `user=${world.admin.id}`, false],
    ['nobody', () => 'user=nobody@example.com', false],
    ['the upstream', () => 'upstream=sandbox', true],
    ['an upstream with a name that matches as a pattern only', () => 'upstream=sand%25', false],
    ['an upstream with a name in large letters', () => 'upstream=Sandbox', false],
    ['another upstream', () => 'upstream=sandbo', false],
    ['its model', () => 'model=gen-image-2.5-flare', true],
    ['a code that it does not have', () => 'code=upstream_error', false],
    ['a duration that it reached', () => 'min_duration_ms=0', true],
    ['a duration that it did not reach', () => 'min_duration_ms=3600000', false],
    ['its status', () => 'status=failed,succeeded', true],
  ])('finds a request by %s', async (_what, query, isFound) => {
    const { items, totals } = await listed(query());
    expect(items.some((item) => item.trace_id === traceId)).toBe(isFound);
    expect(totals.requests).toBe(items.length);
  });

  it.each(['code=nothing', 'status=eaten', 'min_duration_ms=-1', 'range=ever', 'cursor=1'])(
    'refuses %s',
    async (query) => {
      const param = query.split('=')[0] ?? '';
      expect(outcomeOf(await world.visitor.get(`/admin/log?${query}`))).toEqual(wrong(param));
    },
  );

  it('tells of one request its attempts, its hold and its charge', async () => {
    const answer = await sent(world, 'GET', { path: `/admin/log/${traceId}` });
    expect(logDetailSchema.parse(answer.body)).toMatchObject({
      attempt_list: [
        {
          picture: 1,
          attempt: 1,
          upstream: 'sandbox',
          upstream_model: 'sandbox-quick',
          fault: null,
        },
      ],
      hold: {
        state: 'settled',
        amount: { text: '0.04' },
        cost: { text: '0.04' },
        delivered_at: expect.any(String),
        refunded_at: null,
      },
      charge: { amount: { text: '-0.04' }, balance_after: { text: '4.96' } },
      refund: null,
    });
  });

  it('tells of a refused request that it got no hold', async () => {
    const { items } = await listed(`user=${world.user.id}&code=invalid_request_error`);
    expect(items).toMatchObject([{ http_status: 400, attempts: 0, upstream: null }]);
    const refusedId = items[0]?.trace_id ?? '';
    const answer = await sent(world, 'GET', { path: `/admin/log/${refusedId}` });
    expect(logDetailSchema.parse(answer.body)).toMatchObject({ hold: null, attempt_list: [] });
  });

  it('tells no status of a stream that failed: it may have begun with 200', async () => {
    const prompt = 'a fox [[actual=32x32]] [[fail=protocol@partial1]]';
    const fields = { model: 'gen-image-2.5-flare', prompt, stream: true, partial_images: 1 };
    const answer = await api.app.post('/v1/images/generations', world.user, fields);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('event: error');
    const { items } = await listed(`trace=${answer.headers.get('x-request-id')}`);
    expect(items).toMatchObject([{ code: 'upstream_error', http_status: null }]);
  });

  it('gives all that match as a file', async () => {
    const answer = await world.visitor.get(`/admin/log.csv?trace=${traceId}&tz=Asia/Shanghai`);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [header = '', row = '', ...rest] = answer.text.trimEnd().split('\r\n');
    expect(rest).toEqual([]);
    expect(header.split(',')).toEqual(
      expect.arrayContaining(['user', 'upstream', 'attempts', 'http_status', 'trace_id']),
    );
    expect(row).toContain('+08:00');
    expect(row).toContain(`${world.user.email},${world.user.id}`);
  });

  describe('a refund', () => {
    it('returns a part of a charge once', async () => {
      const own = await enterAsAdmin(api);
      const paid = await makePaidPicture(own);
      const path = `/admin/log/${paid}/refund`;
      const body = { amount: '0.01', reason: 'it was ugly' };
      const done = await sent(own, 'POST', { path, body });
      expect(done.body).toMatchObject({
        charged: { text: '0.04' },
        refunded: { text: '0.01' },
        balance: { text: '4.97' },
      });
      expect(outcomeOf(await own.visitor.post(path, body))).toEqual(wrong('trace_id'));
      const { totals } = logListSchema.parse(
        (await sent(own, 'GET', { path: `/admin/log?trace=${paid}` })).body,
      );
      expect(totals).toMatchObject({ refunded: { text: '0.01' }, spend: { text: '0.03' } });
    });

    it('is no longer spend wherever spend is told: of the key, the user, and all users', async () => {
      const own = await enterAsAdmin(api);
      const overview = async () =>
        overviewSchema.parse((await sent(own, 'GET', { path: '/admin/overview' })).body);
      const paid = await makePaidPicture(own);
      const before = await overview();
      const body = { amount: '0.01', reason: 'it was ugly' };
      await sent(own, 'POST', { path: `/admin/log/${paid}/refund`, body });
      const owner = await signedIn(api.app, own.user);
      expect((await owner.get('/keys')).body).toMatchObject({
        items: [{ spend_30d: { text: '0.03' }, spent: { text: '0.03' } }],
      });
      const user = await sent(own, 'GET', { path: `/admin/users/${own.user.id}` });
      expect(user.body).toMatchObject({ spend_30d: { text: '0.03' }, requests_30d: 1 });
      expect((await overview()).spend?.micros).toBe(must(before.spend, 'a sum').micros - 10_000);
    });
  });
});
