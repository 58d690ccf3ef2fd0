import { beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { amount, testAdmin } from '../../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { type CommandLine, commandLine } from '../../../test/support/processes/command-line.ts';
import { listAuditEntries } from '../../audit/audit-store.ts';
import type { Database } from '../../db/db.ts';
import { redeemCode } from '../../flows/payments/redeem-code.ts';
import { takePaymentReport } from '../../flows/payments/take-payment-report.ts';
import { must } from '../../lib/assert.ts';

const paymentsSchema = z.object({ payments: z.array(z.object({ id: z.string() })) });
const listSchema = z.object({ codes: z.array(z.object({ id: z.string() })) });

forEachEngine((engine) => {
  let cli: CommandLine;
  let database: Database;

  beforeAll(async () => {
    database = await engine.open();
    cli = commandLine(engine.locationOf(database));
    await cli.out('users', 'add', 'alice@example.com');
  });

  it('makes codes, prints them once, and lists what became of them', async () => {
    const { out, err } = await cli.run(
      'codes',
      'create',
      '12.50',
      '--count',
      '2',
      '--note',
      'fair',
    );
    const codes = out.trim().split('\n');
    expect(codes).toHaveLength(2);
    expect(err).toMatch(/^Batch bat_\w+\. Keep the codes now: they cannot be shown again\.\n$/);
    const user = await cli.json('users', 'show', 'alice@example.com');
    const userId = String(user['id']);
    const text = must(codes[0], 'a code');
    await redeemCode(testAdmin(database), { userId, text });
    expect(await cli.json('codes', 'list', '--state', 'redeemed')).toMatchObject({
      codes: [
        {
          last_four: text.slice(-4),
          amount: '12.50',
          note: 'fair',
          redeemed_by_email: 'alice@example.com',
          created_by: expect.stringMatching(/^cli:/),
        },
      ],
      more: false,
    });
    const table = await cli.out('codes', 'list');
    expect(table).toMatch(/…\w{4} +12\.50 +redeemed +never +alice@example\.com +fair/);
    for (const code of codes) expect(table).not.toContain(code);
    expect(await cli.json('transactions', '--user', 'alice@example.com')).toMatchObject({
      transactions: [
        { kind: 'top_up', amount: '12.50', reason: expect.stringMatching(/^Code ending/) },
      ],
    });
    expect((await cli.run('verify')).out).toContain('The books are right');
  });

  it('withdraws what is left of a batch, or one code', async () => {
    const made = await cli.json('codes', 'create', '5', '--count', '3');
    const batch = String(made['batch']);
    const { codes } = listSchema.parse(await cli.json('codes', 'list', '--batch', batch));
    const [first] = codes;
    expect(await cli.out('codes', 'withdraw', must(first, 'a code').id)).toBe(
      '1 code is withdrawn\n',
    );
    expect(await cli.out('codes', 'withdraw', batch)).toBe('2 codes are withdrawn\n');
    const unknown = await cli.run('codes', 'withdraw', 'bat_nothing');
    expect(unknown).toMatchObject({ exitCode: 1, out: '' });
    expect(unknown.err).toContain('There is no code or batch bat_nothing.');
  });

  it('writes a batch as CSV', async () => {
    const args = ['--expires', '2099-01-01', '--csv'];
    const late = await cli.run('codes', 'create', '5', ...args);
    expect(late.err).toContain('within ten years');
    const csv = await cli.out('codes', 'create', '5', '--csv');
    expect(csv.split('\r\n')[0]).toBe('code,amount,expires_at,batch');
    expect(csv.split('\r\n')[1]).toMatch(/^TIN(-\w{4}){6},5\.00,,bat_\w+$/);
    const both = await cli.run('codes', 'create', '5', '--csv', '--json');
    expect(both).toMatchObject({ exitCode: 2, out: '' });
    expect(both.err).toContain("option '--csv' cannot be used with option '--json'");
  });

  it('lists payments, of which there are none', async () => {
    expect(await cli.json('payments', 'list')).toEqual({ payments: [], more: false });
    const settled = await cli.run('payments', 'settle', 'pay_nothing', '--reason', 'x');
    expect(settled.err).toContain('There is no payment pay_nothing.');
  });

  it('settles the problem of a payment once, and says of another reason that it is not noted', async () => {
    const admin = testAdmin(database);
    const user = String((await cli.json('users', 'show', 'alice@example.com'))['id']);
    const paid = { provider: 'bank', payment_id: '1', amount: amount('5'), currency: 'USD', user };
    await takePaymentReport(admin, { ...paid, type: 'payment.paid' });
    const { payments } = paymentsSchema.parse(await cli.json('payments', 'list'));
    const { id } = must(payments[0], 'a payment');
    const settle = (reason: string) => cli.out('payments', 'settle', id, '--reason', reason);
    expect(await settle('looked')).toBe(`${id} has no problem: the reason is not noted\n`);
    await takePaymentReport(admin, { ...paid, type: 'payment.returned', currency: 'EUR' });
    expect(await settle('paid back by bank')).toBe(`${id} is settled\n`);
    expect(await settle('written off')).toMatch(
      /^pay_\w+ was settled already, at \d{4}-\S+Z by cli:\S+: the reason is not noted\n$/,
    );
    const { items } = await listAuditEntries(database, {}, { after: null, limit: 1 });
    expect(items).toMatchObject([{ action: 'payment.settle', reason: 'paid back by bank' }]);
  });
});
