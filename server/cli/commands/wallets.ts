import type { Command } from 'commander';
import { type Amount, formatAmount } from '../../../shared/money.ts';
import type { User } from '../../accounts/user.ts';
import { listUsers, requireUser } from '../../accounts/user-store.ts';
import type { Db } from '../../db/db.ts';
import { adjustWallet } from '../../flows/money/adjust-wallet.ts';
import { topUpWallet } from '../../flows/money/top-up-wallet.ts';
import { must } from '../../lib/assert.ts';
import { readSettings } from '../../settings/settings-store.ts';
import { availableOf, type Wallet } from '../../wallets/wallet.ts';
import { readWallet } from '../../wallets/wallet-store.ts';
import { amountAboveZero, amountArgument } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { type Column, printFields, printTable } from '../output.ts';
import { addLimitOption, collect, type LimitOption, noteMore } from '../paging.ts';
import { addRefundCommand } from './refund.ts';

export function addWalletCommands(program: Command, cli: Cli): void {
  const wallets = program.command('wallets').description("users' money");
  addShowCommand(wallets, cli);
  addListCommand(wallets, cli);
  addTopUpCommand(wallets, cli);
  addAdjustCommand(wallets, cli);
  addRefundCommand(wallets, cli);
}

function addShowCommand(wallets: Command, cli: Cli): void {
  wallets
    .command('show <user>')
    .description("one user's balance, and what of it is held for running requests")
    .option('--json', 'print JSON')
    .action((user: string, { json }: { json?: boolean }, command: Command) =>
      cli.on(command, async ({ database }) => {
        const owned = await readOwned(database, await requireUser(database, user));
        const { currency } = await readSettings(database);
        const presented = { ...presentWallet(owned), currency };
        if (json) cli.json(presented);
        else printFields(cli.terminal, Object.entries(presented));
      }),
    );
}

function addListCommand(wallets: Command, cli: Cli): void {
  const command = wallets.command('list').description('all wallets, by e-mail address');
  addLimitOption(command)
    .option('--json', 'print JSON')
    .action(({ limit, json }: LimitOption & { json?: boolean }) =>
      cli.on(command, async ({ database }) => {
        const { items, more } = await collect(limit, (page) => listUsers(database, page));
        const owned = [];
        for (const user of items) owned.push(await readOwned(database, user));
        const { currency } = await readSettings(database);
        if (json) {
          cli.json({ wallets: owned.map(presentWallet), currency, more });
          return;
        }
        printTable(cli.terminal, {
          rows: owned,
          columns: walletColumns(currency),
          empty: 'There are no wallets. Each user has one: tintype users add',
        });
        noteMore(cli, { items, more });
      }),
    );
}

function addTopUpCommand(wallets: Command, cli: Cli): void {
  wallets
    .command('top-up')
    .description('add money')
    .argument('<user>', 'e-mail address or ID')
    .argument('<amount>', 'such as 25 or 12.50', amountAboveZero)
    .option('--reason <text>', 'why; shown to the user')
    .action((user: string, amount: Amount, { reason }: { reason?: string }, command: Command) =>
      cli.on(command, async ({ admin }) => {
        const balance = await topUpWallet(admin(reason), { user, amount });
        cli.say(`The balance is now ${formatAmount(balance)}`);
      }),
    );
}

function addAdjustCommand(wallets: Command, cli: Cli): void {
  wallets
    .command('adjust')
    .description('correct a balance up or down; what is held for running requests stays')
    .argument('<user>', 'e-mail address or ID')
    .argument('<amount>', 'such as 3.20 or -3.20', amountArgument)
    .requiredOption('--reason <text>', 'why; shown to the user')
    .action((user: string, amount: Amount, { reason }: { reason: string }, command: Command) =>
      cli.on(command, async ({ admin }) => {
        const balance = await adjustWallet(admin(reason), { user, amount });
        cli.say(`The balance is now ${formatAmount(balance)}`);
      }),
    );
}

interface OwnedWallet {
  user: User;
  wallet: Wallet;
}

async function readOwned(db: Db, user: User): Promise<OwnedWallet> {
  return { user, wallet: must(await readWallet(db, user.id), `the wallet of ${user.id}`) };
}

function walletColumns(currency: string): readonly Column<OwnedWallet>[] {
  return [
    { title: 'USER', cell: ({ user }) => user.email },
    {
      title: `BALANCE (${currency})`,
      cell: ({ wallet }) => formatAmount(wallet.balance),
      align: 'right',
    },
    { title: 'HELD', cell: ({ wallet }) => formatAmount(wallet.held), align: 'right' },
    {
      title: 'AVAILABLE',
      cell: ({ wallet }) => formatAmount(availableOf(wallet)),
      align: 'right',
    },
    { title: 'RUNNING', cell: ({ wallet }) => wallet.inFlight, align: 'right' },
  ];
}

function presentWallet({ user, wallet }: OwnedWallet) {
  return {
    user_id: user.id,
    user: user.email,
    balance: formatAmount(wallet.balance),
    held: formatAmount(wallet.held),
    available: formatAmount(availableOf(wallet)),
    running: wallet.inFlight,
  };
}
