import { beforeAll, expect, it } from 'vitest';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { type CommandLine, commandLine } from '../../../test/support/processes/command-line.ts';

forEachEngine((engine) => {
  let cli: CommandLine;

  beforeAll(async () => {
    cli = await open();
    await cli.out('users', 'add', 'alice@example.com');
    await cli.out('wallets', 'top-up', 'alice@example.com', '25', '--reason', '=invoice, 7');
    await cli.out('wallets', 'adjust', 'alice@example.com', '-3.20', '--reason', 'entered twice');
  });

  it('shows exact decimals', async () => {
    expect(await cli.json('wallets', 'show', 'alice@example.com')).toMatchObject({
      user: 'alice@example.com',
      balance: '21.80',
      held: '0.00',
      available: '21.80',
      currency: 'USD',
    });
    expect(await cli.out('wallets', 'list')).toMatch(
      /alice@example.com +21\.80 +0\.00 +21\.80 +0\n/,
    );
  });

  it('lists transactions newest first', async () => {
    const { transactions } = await cli.json('transactions', '--user', 'alice@example.com');
    expect(transactions).toMatchObject([
      { kind: 'adjustment', amount: '-3.20', balance_after: '21.80', reason: 'entered twice' },
      {
        kind: 'top_up',
        amount: '25.00',
        balance_after: '25.00',
        actor: expect.stringMatching(/^cli:/),
      },
    ]);
  });

  it('writes CSV whose texts are no formulas and whose amounts are numbers', async () => {
    const lines = (await cli.out('transactions', '--csv')).split('\r\n');
    expect(lines[0]).toBe(
      'id,created_at,user_id,user,seq,kind,amount,balance_after,trace_id,model,images,status,actor,reason',
    );
    expect(lines[1]).toMatch(/,adjustment,-3\.20,21\.80,,,,,cli:\w+,entered twice$/);
    expect(lines[2]).toMatch(/,top_up,25\.00,25\.00,,,,,cli:\w+,"'=invoice, 7"$/);
  });

  it('says how many it left out', async () => {
    const { out, err } = await cli.run('transactions', '--limit', '1', '--json');
    expect(JSON.parse(out)).toMatchObject({ more: true, transactions: [{ kind: 'adjustment' }] });
    expect(err).toBe('');
    const table = await cli.run('transactions', '--limit', '1');
    expect(table.err).toBe('note: only the first 1 are shown; --limit shows more\n');
  });

  it('finds nothing in a range without anything', async () => {
    const { out, err } = await cli.run('transactions', '--to', '2020-01-01');
    expect({ out, err }).toEqual({ out: '', err: 'No transactions.\n' });
  });

  it('refuses what would leave too little, and says what is there', async () => {
    const result = await cli.run('wallets', 'adjust', 'alice@example.com', '-22', '--reason', 'x');
    expect(result).toMatchObject({ exitCode: 1, out: '' });
    expect(result.err).toMatch(/^error: The balance would be -0\.20, .*there is 21\.80\.\n$/);
  });

  it('finds the books right', async () => {
    expect(await cli.out('verify')).toBe(
      '1 wallet, 2 transactions, 0 usage records, 0 open holds checked\nThe books are right\n',
    );
    expect(await cli.json('verify')).toMatchObject({
      wallets: 1,
      transactions: 2,
      violations: [],
    });
  });

  it('finds the books wrong when somebody changed them by hand', async () => {
    const database = await engine.open();
    const broken = commandLine(engine.locationOf(database));
    await broken.out('users', 'add', 'bob@example.com', '--top-up', '5');
    await database.transaction((trx) =>
      trx.kysely.updateTable('wallets').set({ balance: 6 }).execute(),
    );
    const { exitCode, err } = await broken.run('verify');
    expect(exitCode).toBe(1);
    expect(err).toMatch(/^error: the books are wrong in 1 place:/);
  });

  async function open(): Promise<CommandLine> {
    return commandLine(engine.locationOf(await engine.open()));
  }
});
