import { beforeAll, describe, expect, it } from 'vitest';
import { testAdmin } from '../../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import {
  addSpender,
  admissionOf,
  settlementOf,
  startProcess,
} from '../../../test/support/money/spending.ts';
import { type CommandLine, commandLine } from '../../../test/support/processes/command-line.ts';
import type { Database } from '../../db/db.ts';
import { admit, settle } from '../../flows/money/hold-money.ts';
import { markDelivered } from '../../wallets/delivery-store.ts';

forEachEngine((engine) => {
  let database: Database;
  let cli: CommandLine;
  let userId: string;
  let traceId: string;

  beforeAll(async () => {
    database = await engine.open();
    cli = commandLine(engine.locationOf(database));
    ({ userId, traceId } = await spend(database));
    await cli.out(...refundOf(traceId));
  });

  it('says what a refund returned', async () => {
    const { traceId } = await spend(database);
    expect(await cli.out(...refundOf(traceId))).toBe(
      '0.04 of the charge of 0.10 is returned; the balance is now 0.94\n',
    );
  });

  it('refuses a second refund, and says when the first was', async () => {
    const again = await cli.run(...refundOf(traceId));
    expect(again).toMatchObject({ exitCode: 1, out: '' });
    expect(again.err).toMatch(/^error: The charge of .* was refunded already: 0\.04 at .* by cli:/);
  });

  it('lists a charge with the model, count, cost and status of its request', async () => {
    const of = ['--trace', traceId, '--kind', 'charge'];
    expect(await cli.json('transactions', ...of)).toMatchObject({
      transactions: [
        {
          trace_id: traceId,
          model: 'gen-image-2',
          images: 1,
          amount: '-0.10',
          status: 'succeeded',
        },
      ],
    });
    expect(await cli.out('transactions', ...of)).toMatch(
      new RegExp(`charge +-0\\.10 .* gen-image-2 +1 +succeeded +${traceId} `),
    );
  });

  it('shows a refund with the request', async () => {
    expect(await cli.json('usage', 'show', traceId)).toMatchObject({
      status: 'succeeded',
      cost: '0.10',
      refund: { amount: '0.04', reason: 'half of it', actor: expect.stringMatching(/^cli:/) },
    });
    expect(await cli.out('usage', 'show', traceId)).toMatch(
      /\nrefund\namount +0\.04\ncreated_at .*\nactor +cli:.*\nreason +half of it\n/,
    );
  });

  describe('a statement', () => {
    it('shows opening balance, entries in order, sums and closing balance', async () => {
      const lines = (await cli.out('statement', userId)).trimEnd().split('\n');
      expect(lines).toEqual([
        expect.stringMatching(/^spender\d+@example\.com, from the beginning to now$/),
        'Opening balance  0.00 USD',
        expect.stringMatching(
          /^NO +TIME \(UTC\) +KIND +AMOUNT \(USD\) +BALANCE +TRACE ID +REASON$/,
        ),
        expect.stringMatching(/^ 1 +2026-01-01 00:00:00 +top_up +1\.00 +1\.00 +- +-$/),
        expect.stringMatching(/^ 2 .* charge +-0\.10 +0\.90 +tr_\w+ +-$/),
        expect.stringMatching(/^ 3 .* refund +0\.04 +0\.94 +tr_\w+ +half of it$/),
        'Σ top_up  1.00 USD in 1',
        'Σ charge  -0.10 USD in 1',
        'Σ refund  0.04 USD in 1',
        'Closing balance  0.94 USD',
      ]);
    });

    it('is one JSON document', async () => {
      expect(await cli.json('statement', userId, '--to', '2026-01-01')).toMatchObject({
        user_id: userId,
        currency: 'USD',
        from: null,
        to: '2026-01-02T00:00:00.000Z',
        opening_balance: '0.00',
        entries: [
          { seq: 1, kind: 'top_up', amount: '1.00', balance: '1.00' },
          { seq: 2, kind: 'charge', amount: '-0.10', balance: '0.90', trace_id: traceId },
        ],
        totals: { charge: { count: 1, sum: '-0.10' }, refund: { count: 0, sum: '0.00' } },
        closing_balance: '0.90',
        problems: [],
      });
    });

    it('is CSV between the two balances', async () => {
      const out = await cli.out('statement', userId, '--csv', '--from', '2026-01-02');
      expect(out.trimEnd().split('\r\n')).toEqual([
        'seq,created_at,kind,amount,balance,trace_id,actor,reason,id',
        ',2026-01-02T00:00:00.000Z,opening_balance,,0.90,,,,',
        expect.stringMatching(/^3,.*,refund,0\.04,0\.94,tr_\w+,cli:\w+,half of it,txn_\w+$/),
        ',,closing_balance,,0.94,,,,',
      ]);
    });

    it('is there for somebody without any transaction', async () => {
      await cli.out('users', 'add', 'new@example.com');
      expect(await cli.run('statement', 'new@example.com')).toEqual({
        exitCode: 0,
        out: 'new@example.com, from the beginning to now\nOpening balance  0.00 USD\nClosing balance  0.00 USD\n',
        err: 'No transactions.\n',
      });
    });

    it('ends with 1 and says where when it does not add up', async () => {
      const broken = await engine.open();
      const { userId } = await spend(broken);
      await broken.transaction((trx) =>
        trx.kysely.updateTable('wallets').set({ balance: 7_000_000 }).execute(),
      );
      const result = await commandLine(engine.locationOf(broken)).run('statement', userId);
      expect(result.exitCode).toBe(1);
      expect(result.out).toContain('Closing balance  0.90 USD');
      expect(result.err).toBe(
        "error: the statement does not add up: the wallet's balance is 7.00 and should be 0.90\n",
      );
    });
  });
});

function refundOf(traceId: string): string[] {
  return ['wallets', 'refund', traceId, '--amount', '0.04', '--reason', 'half of it'];
}

/** Somebody with 1.00 who has paid 0.10 for a picture. */
async function spend(database: Database): Promise<{ userId: string; traceId: string }> {
  const { clock } = testAdmin(database);
  const spender = await addSpender(database, '1.00');
  const { id: processId } = await startProcess(database);
  const admission = admissionOf(spender, { processId });
  await admit(database, clock, admission);
  await settle(database, clock, settlementOf(admission.traceId));
  await database.transaction((trx) => markDelivered(trx, [admission.traceId], clock.now()));
  return { userId: spender.userId, traceId: admission.traceId };
}
