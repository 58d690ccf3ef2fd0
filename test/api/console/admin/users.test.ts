import { beforeAll, describe, expect, it } from 'vitest';
import { userSlotsMax } from '../../../../server/accounts/user.ts';
import { listAuditEntries } from '../../../../server/audit/audit-store.ts';
import { logListSchema } from '../../../../shared/console/admin-log.ts';
import {
  adminKeysSchema,
  adminSessionsSchema,
  adminUserSchema,
  adminUsersSchema,
  moneyOrderAnswerSchema,
  moneyPreviewSchema,
} from '../../../../shared/console/admin-users.ts';
import { transactionListSchema } from '../../../../shared/console/wallet.ts';
import { describeApi, outcomeOf, wrong } from '../../../support/callers/api.ts';
import { type AdminWorld, enterAsAdmin, sent } from '../../../support/console/admin-world.ts';
import {
  addMember,
  goodPassword,
  signedIn,
  textField,
  Visitor,
} from '../../../support/console/visitor.ts';
import { addUsageRows, usageRow } from '../../../support/history/usage-rows.ts';
import { violationsOf } from '../../../support/money/spending.ts';

let orders = 0;

describeApi((api) => {
  let world: AdminWorld;
  beforeAll(async () => {
    world = await enterAsAdmin(api);
  });

  const ask = (method: string, path: string, body?: object) =>
    sent(world, method, { path, ...(body && { body }) });
  const userAt = async (id: string) =>
    adminUserSchema.parse((await ask('GET', `/admin/users/${id}`)).body);

  const order = (change: string, amount: string, reference = `reference-${++orders}`) => ({
    reference,
    change,
    amount,
    reason: 'because',
  });

  describe('the list', () => {
    it('filters by role and state', async () => {
      const { id } = await addMember(api.app);
      await ask('PUT', `/admin/users/${id}/enabled`, { enabled: false });
      const disabled = await ask('GET', '/admin/users?state=disabled&role=user');
      const { users } = adminUsersSchema.parse(disabled.body);
      expect(users.map((user) => user.id)).toContain(id);
      expect(users.every(({ role, state }) => role === 'user' && state === 'disabled')).toBe(true);
    });

    it('goes on where a page ended', async () => {
      const { email } = world.user;
      const rest = await ask('GET', `/admin/users?cursor=${encodeURIComponent(email)}`);
      const { users } = adminUsersSchema.parse(rest.body);
      expect(users.every((user) => user.email > email)).toBe(true);
    });

    it.each(['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'])(
      'counts what was done in the 30 days of the usage log, as days are in %s',
      async (tz) => {
        const member = await addMember(api.app);
        const log = async () =>
          logListSchema.parse(
            (await ask('GET', `/admin/log?range=30d&tz=${tz}&user=${member.id}`)).body,
          );
        const since = Date.parse((await log()).range.from);
        const failed = (at: number) => usageRow({ userId: member.id }, at, { status: 'failed' });
        await addUsageRows(api.app.database, [failed(since - 1), failed(since)]);
        expect((await log()).totals).toMatchObject({ requests: 1 });
        const lately = { requests_30d: 1 };
        expect((await ask('GET', `/admin/users/${member.id}?tz=${tz}`)).body).toMatchObject(lately);
        const found = await ask('GET', `/admin/users?tz=${tz}&q=${member.email}`);
        expect(found.body).toMatchObject({ users: [lately] });
      },
    );

    it('shows what a user has, spent and holds', async () => {
      const member = await addMember(api.app, { money: '5' });
      const body = { model: 'gen-image-2.5-flare', prompt: 'a boat', quality: 'low' };
      await (await api.app.post('/v1/images/generations', member, body)).arrayBuffer();
      expect(await userAt(member.id)).toMatchObject({
        balance: { text: '4.96' },
        available: { text: '4.96' },
        spend_30d: { text: '0.04' },
        requests_30d: 1,
        keys: 1,
        state: 'active',
        last_active_at: expect.any(String),
      });
    });
  });

  it('shows whom the address names, whatever others call themselves', async () => {
    const { id } = await addMember(api.app);
    const other = await addMember(api.app);
    // First in the list, and found by what is looked for.
    const disguise = { email: `0-${other.email}`, name: id };
    await ask('PATCH', `/admin/users/${other.id}`, disguise);
    expect(await userAt(id)).toMatchObject({ id });
    const body = order('add', '1');
    const done = await ask('POST', `/admin/users/${id}/wallet/orders`, body);
    expect(moneyOrderAnswerSchema.parse(done.body).user).toMatchObject({ id });
  });

  it('asks for a proof before it makes administrators, enables one again, or gives accounts another address', async () => {
    const { id } = await addMember(api.app);
    const { id: dismissed } = await addMember(api.app, { role: 'admin' });
    for (const each of [id, dismissed]) {
      await ask('PUT', `/admin/users/${each}/enabled`, { enabled: false });
    }
    const wish = { name: 'CI', days: 1 };
    const made = await world.visitor.post('/account/access-tokens', wish);
    const authorization = `Bearer ${textField(made, 'secret')}`;
    const script = new Visitor(api.app.baseUrl, { authorization });
    const fresh = () => ({ email: `scripted${++orders}@example.com`, name: 'S' });
    const calls: [string, string, object][] = [
      ['POST', '/admin/users', { ...fresh(), role: 'admin', password: goodPassword }],
      ['PATCH', `/admin/users/${id}`, { role: 'admin' }],
      ['PATCH', `/admin/users/${id}`, { email: 'mine@example.com' }],
      ['PUT', `/admin/users/${dismissed}/enabled`, { enabled: true }],
    ];
    for (const [method, path, wanted] of calls) {
      const answer = await script.ask(method, path, { body: wanted });
      expect(outcomeOf(answer)).toMatchObject({ status: 403, code: 'proof_needed' });
    }
    expect((await script.post('/admin/users', fresh())).status).toBe(200);
    const renamed = await script.ask('PATCH', `/admin/users/${id}`, { body: { name: 'New' } });
    expect(renamed.status).toBe(200);
    for (const enabled of [true, false]) {
      const answer = await script.ask('PUT', `/admin/users/${id}/enabled`, { body: { enabled } });
      expect(answer.status).toBe(200);
    }
  });

  it('opens an account whose owner can sign in with the password', async () => {
    const email = `opened${++orders}@example.com`;
    const body = { email, name: 'Opened', top_up: '2.50', password: goodPassword };
    const opened = adminUserSchema.parse((await ask('POST', '/admin/users', body)).body);
    expect(opened).toMatchObject({ role: 'user', balance: { text: '2.50' } });
    expect(await (await signedIn(api.app, { email })).isSignedIn()).toBe(true);
  });

  it('names the field that is wrong in a new account', async () => {
    const open = (fields: object) =>
      world.visitor.post('/admin/users', { email: 'new@example.com', name: 'New', ...fields });
    expect(outcomeOf(await open({ email: 'nobody' }))).toEqual(wrong('email'));
    expect(outcomeOf(await open({ name: ' ' }))).toEqual(wrong('name'));
    expect(outcomeOf(await open({ slots_max: userSlotsMax + 1 }))).toEqual(wrong('slots_max'));
  });

  it('ends sessions and keys of who is disabled; enabled again, they sign in again', async () => {
    const member = await addMember(api.app, { money: '5' });
    const browser = await signedIn(api.app, member);
    await ask('PUT', `/admin/users/${member.id}/enabled`, { enabled: false });
    expect(await browser.isSignedIn()).toBe(false);
    const refused = await api.app.post('/v1/images/generations', member, {});
    expect(refused.status).toBe(401);
    await refused.arrayBuffer();
    await ask('PUT', `/admin/users/${member.id}/enabled`, { enabled: true });
    expect(await browser.isSignedIn()).toBe(false);
    expect(await (await signedIn(api.app, member)).isSignedIn()).toBe(true);
  });

  it('ends sessions and access tokens of who gets another role, and of nobody for another name', async () => {
    const member = await addMember(api.app);
    const browser = await signedIn(api.app, member);
    const made = await browser.post('/account/access-tokens', { name: 'CI', days: null });
    const authorization = `Bearer ${textField(made, 'secret')}`;
    const script = new Visitor(api.app.baseUrl, { authorization });
    await ask('PATCH', `/admin/users/${member.id}`, { name: 'New' });
    expect(await browser.isSignedIn()).toBe(true);
    expect(await script.isSignedIn()).toBe(true);
    await ask('PATCH', `/admin/users/${member.id}`, { role: 'admin' });
    expect(await browser.isSignedIn()).toBe(false);
    expect(await script.isSignedIn()).toBe(false);
  });

  it('lists and ends sessions, and tells keys by name and state alone', async () => {
    const member = await addMember(api.app);
    const browser = await signedIn(api.app, member, { 'user-agent': 'Firefox/140.0 (Linux)' });
    const { sessions } = adminSessionsSchema.parse(
      (await ask('GET', `/admin/users/${member.id}/sessions`)).body,
    );
    expect(sessions).toMatchObject([{ browser: 'Firefox', system: 'Linux' }]);
    await ask('DELETE', `/admin/users/${member.id}/sessions/${sessions[0]?.id}`);
    expect(await browser.isSignedIn()).toBe(false);
    const keys = await ask('GET', `/admin/users/${member.id}/keys`);
    expect(keys.text).not.toContain(member.apiKey);
    expect(adminKeysSchema.parse(keys.body).keys).toMatchObject([
      { name: 'test', state: 'active', last_four: member.apiKey.slice(-4) },
    ]);
  });

  describe('money', () => {
    it.each([
      ['add', '10', '15.00', 'top_up'],
      ['deduct', '1.5', '3.50', 'adjustment'],
      ['deduct', '5', '0.00', 'adjustment'],
      ['set', '2', '2.00', 'adjustment'],
    ])('%s: what the preview shows is what happens', async (change, amount, after, kind) => {
      const { id } = await addMember(api.app, { money: '5' });
      const path = `/admin/users/${id}/wallet`;
      const shown = await ask('GET', `${path}/preview?change=${change}&amount=${amount}`);
      expect(moneyPreviewSchema.parse(shown.body)).toMatchObject({
        before: { text: '5.00' },
        after: { text: after },
      });
      const done = await ask('POST', `${path}/orders`, order(change, amount));
      expect(moneyOrderAnswerSchema.parse(done.body)).toMatchObject({
        entry: { kind, balance_after: { text: after }, by: world.admin.id, reason: 'because' },
        is_repeat: false,
        user: { balance: { text: after } },
      });
      const listed = await ask('GET', `${path}/transactions?range=today`);
      const { items, statement } = transactionListSchema.parse(listed.body);
      expect(items[0]).toMatchObject({ kind, note: 'because' });
      expect(statement).toMatchObject({ closing: { text: after }, adds_up: true });
    });

    it('moves once, however often and however fast the same order comes', async () => {
      const { id } = await addMember(api.app, { money: '5' });
      const path = `/admin/users/${id}/wallet/orders`;
      const same = order('add', '10');
      const answers = await Promise.all(Array.from({ length: 8 }, () => ask('POST', path, same)));
      const parsed = answers.map(({ body }) => moneyOrderAnswerSchema.parse(body));
      expect(new Set(parsed.map(({ entry }) => entry.id)).size).toBe(1);
      expect(parsed.filter(({ is_repeat: isRepeat }) => !isRepeat)).toHaveLength(1);
      expect((await userAt(id)).balance.text).toBe('15.00');
      const filter = { subject: id, action: 'wallet.top_up' };
      const entries = await listAuditEntries(api.app.database, filter, { after: null, limit: 9 });
      expect(entries.items).toHaveLength(1);
    });

    it('is not moved by another order under the same reference', async () => {
      const { id } = await addMember(api.app, { money: '5' });
      const path = `/admin/users/${id}/wallet/orders`;
      const first = order('add', '10');
      await ask('POST', path, first);
      const other = await world.visitor.post(path, { ...first, amount: '20' });
      expect(outcomeOf(other)).toEqual(wrong('reference'));
      expect((await userAt(id)).balance.text).toBe('15.00');
    });

    it.each([
      ['deduct', '5', 'set', '5'],
      ['set', '4', 'deduct', '6'],
    ])(
      'is not taken for another kind of order that does the same: %s %s, %s %s',
      async (...four) => {
        const [change, amount, other, otherAmount] = four;
        const { id } = await addMember(api.app, { money: '10' });
        const path = `/admin/users/${id}/wallet/orders`;
        const first = order(change, amount);
        await ask('POST', path, first);
        const second = { ...first, change: other, amount: otherAmount };
        expect(outcomeOf(await world.visitor.post(path, second))).toEqual(wrong('reference'));
        expect((await ask('POST', path, first)).body).toMatchObject({ is_repeat: true });
      },
    );

    it('never goes below zero', async () => {
      const { id } = await addMember(api.app, { money: '5' });
      const path = `/admin/users/${id}/wallet`;
      const all = await ask('POST', `${path}/orders`, order('deduct', '5'));
      expect(all.body).toMatchObject({ user: { balance: { text: '0.00' } } });
      const more = await world.visitor.post(`${path}/orders`, order('deduct', '0.000001'));
      expect(outcomeOf(more)).toMatchObject({ status: 400 });
      const preview = `${path}/preview?change=deduct&amount=0.000001`;
      expect(outcomeOf(await world.visitor.get(preview))).toEqual(wrong('amount'));
    });

    it.each([
      ['a reference that is too short', { reference: 'short' }, 'reference'],
      ['no reason', { reason: '  ' }, 'reason'],
      ['an amount of nothing', { amount: '0' }, 'amount'],
      ['an amount below zero', { amount: '-1' }, 'amount'],
      ['what the balance is already', { change: 'set', amount: '5' }, 'amount'],
    ])('is refused with %s', async (_what, changes, param) => {
      const { id } = await addMember(api.app, { money: '5' });
      const body = { ...order('add', '1'), ...changes };
      const answer = await world.visitor.post(`/admin/users/${id}/wallet/orders`, body);
      expect(outcomeOf(answer)).toEqual(wrong(param));
      expect((await userAt(id)).balance.text).toBe('5.00');
    });

    it('names the limit to an amount that is beyond it', async () => {
      const { id } = await addMember(api.app, { money: '5' });
      const path = `/admin/users/${id}/wallet/orders`;
      const answer = await world.visitor.post(path, order('add', '99999999999'));
      expect(answer).toMatchObject({
        status: 400,
        body: { error: { message: 'amount is at most 9007199254.740991.' } },
      });
    });

    it('shows beforehand too that a balance would be more than an amount can be', async () => {
      const { id } = await addMember(api.app, { money: '5' });
      const path = `/admin/users/${id}/wallet`;
      const amount = '9007199254.740991';
      const answers = [
        await world.visitor.get(`${path}/preview?change=add&amount=${amount}`),
        await world.visitor.post(`${path}/orders`, order('add', amount)),
      ];
      for (const answer of answers) {
        expect(answer).toMatchObject({
          status: 400,
          body: { error: { message: 'The balance would be too large.' } },
        });
      }
    });

    it('leaves books that are right', async () => {
      expect(await violationsOf(api.app.database)).toEqual([]);
    });
  });

  it('is nothing for somebody who is not signed in', async () => {
    const stranger = new Visitor(api.app.baseUrl);
    expect(outcomeOf(await stranger.get('/admin/users'))).toMatchObject({ status: 401 });
  });
});
