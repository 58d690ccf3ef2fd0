import { beforeAll, expect, it } from 'vitest';
import { auditListSchema } from '../../../../shared/console/admin-audit.ts';
import { describeApi, outcomeOf, wrong } from '../../../support/callers/api.ts';
import { type AdminWorld, enterAsAdmin, sent } from '../../../support/console/admin-world.ts';

describeApi((api) => {
  let world: AdminWorld;
  beforeAll(async () => {
    world = await enterAsAdmin(api);
    const body = { id: 'audited' };
    await sent(world, 'POST', { path: '/admin/models', body });
    const price = { price: '0.05', reason: '=cheaper upstream' };
    await sent(world, 'PUT', { path: '/admin/models/audited/price', body: price });
    const slots = { values: { slots_per_user: 20 } };
    await sent(world, 'PATCH', { path: '/admin/settings/limits', body: slots });
  });

  const listed = async (query: string) =>
    auditListSchema.parse((await sent(world, 'GET', { path: `/admin/audit?${query}` })).body);

  it('shows what a value was before and is after', async () => {
    const { items } = await listed('action=model.set_price&target=audited');
    expect(items).toMatchObject([
      {
        actor: world.admin.id,
        actor_email: world.admin.email,
        target: 'audited',
        reason: '=cheaper upstream',
        changes: [{ field: 'price', from: null, to: '0.05' }],
      },
    ]);
    const settings = await listed('action=setting.change&target=slots_per_user');
    expect(settings.items[0]?.changes).toEqual([{ field: 'value', from: '16', to: '20' }]);
  });

  it('names an API key and whose it is, also when it is revoked', async () => {
    const { id: owner } = world.user;
    const { id } = await api.app.addKey(owner, { name: 'night batch' });
    const named = { target: id, target_name: 'night batch', target_owner: owner };
    expect((await listed(`target=${id}`)).items).toMatchObject([
      { action: 'api_key.issue', ...named },
    ]);
    await sent(world, 'DELETE', { path: `/admin/users/${owner}/keys/${id}` });
    expect((await listed(`target=${id}`)).items).toMatchObject([
      { action: 'api_key.revoke', ...named },
      { action: 'api_key.issue', ...named },
    ]);
    expect((await listed('target=audited')).items).toMatchObject([
      { target_owner: null },
      { target_owner: null },
    ]);
  });

  it.each([
    ['who did it', () => `actor=${world.admin.email}`, true],
    ['somebody else', () => `actor=${world.user.email}`, false],
    ['what was done', () => 'action=model.add', true],
    ['what it was done to', () => 'target=audited', true],
    ['another target', () => 'target=gen-image-2', false],
    ['a range before it', () => 'from=2020-01-01&to=2020-01-02', false],
  ])('finds entries by %s', async (_what, query, isFound) => {
    const { items, count } = await listed(query());
    expect(items.some((item) => item.action === 'model.add' && item.target === 'audited')).toBe(
      isFound,
    );
    expect(count).toBe(items.length);
  });

  it('offers every action that there was', async () => {
    const { actions } = await listed('range=today');
    expect(actions).toEqual(expect.arrayContaining(['model.add', 'setting.change', 'user.add']));
    expect(actions).toEqual([...new Set(actions)].sort());
  });

  it('gives all that match as a file in which nothing is a formula', async () => {
    const answer = await world.visitor.get('/admin/audit.csv?target=audited');
    const rows = answer.text.trimEnd().split('\r\n').slice(1);
    expect(rows).toHaveLength(2);
    expect(rows[0]).toContain("'=cheaper upstream");
    expect(answer.headers.get('x-tintype-rows')).toBe('2');
  });

  it('refuses a range without a beginning', async () => {
    expect(outcomeOf(await world.visitor.get('/admin/audit?to=2026-01-01'))).toEqual(wrong('from'));
  });
});
