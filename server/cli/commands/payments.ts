import type { Command } from 'commander';
import { formatAmount } from '../../../shared/money.ts';
import { type Settled, settlePayment } from '../../flows/payments/settle-payment.ts';
import { type PaymentOverview, readPayments } from '../../flows/reading/read-payments.ts';
import { isoTime, timeOrNull, utcTime } from '../../lib/time-text.ts';
import { stateOfPayment } from '../../payments/payment.ts';
import type { Cli } from '../cli.ts';
import { type Column, printTable } from '../output.ts';
import { ownerId } from '../owners.ts';
import { addLimitOption, collect, type LimitOption, noteMore } from '../paging.ts';

export function addPaymentCommands(program: Command, cli: Cli): void {
  const payments = program.command('payments').description('what users paid for their wallets');
  addListCommand(payments, cli);
  addSettleCommand(payments, cli);
}

function addListCommand(payments: Command, cli: Cli): void {
  const command = payments.command('list [user]').description('all payments, or those of a user');
  addLimitOption(command)
    .option('--problems', 'only those that somebody has to look at')
    .option('--json', 'print JSON')
    .action(
      (
        user: string | undefined,
        { limit, problems, json }: LimitOption & { problems?: boolean; json?: boolean },
      ) =>
        cli.on(command, async ({ database, clock }) => {
          const filter = { userId: await ownerId(database, user), withProblem: problems };
          const found = await collect(limit, (page) => readPayments(database, filter, page));
          const nowMs = clock.now();
          if (json) {
            const shown = found.items.map((one) => presentPayment(one, nowMs));
            cli.json({ payments: shown, more: found.more });
            return;
          }
          printTable(cli.terminal, {
            rows: found.items,
            columns: paymentColumns(nowMs),
            empty: problems ? 'No payment has a problem.' : 'There are no payments.',
          });
          noteMore(cli, found);
        }),
    );
}

function addSettleCommand(payments: Command, cli: Cli): void {
  payments
    .command('settle <payment-id>')
    .description('record that the problem of a payment is dealt with; moves no money')
    .requiredOption('--reason <text>', 'what was done about it, for the audit')
    .action((id: string, { reason }: { reason: string }, command: Command) =>
      cli.on(command, async ({ admin }) => {
        cli.say(describeSettled(await settlePayment(admin(reason), id)));
      }),
    );
}

function describeSettled({ payment: { id, settledAt }, isNew, earlier }: Settled): string {
  if (isNew) return `${id} is settled`;
  if (settledAt === null) return `${id} has no problem: the reason is not noted`;
  const by = earlier ? ` by ${earlier.actor}` : '';
  return `${id} was settled already, at ${isoTime(settledAt)}${by}: the reason is not noted`;
}

function paymentColumns(nowMs: number): readonly Column<PaymentOverview>[] {
  return [
    { title: 'ID', cell: ({ payment }) => payment.id },
    { title: 'TIME (UTC)', cell: ({ payment }) => utcTime(payment.createdAt) },
    { title: 'USER', cell: ({ payment, email }) => email ?? payment.userId },
    { title: 'PROVIDER', cell: ({ payment }) => payment.provider },
    { title: 'AMOUNT', cell: ({ payment }) => formatAmount(payment.amount), align: 'right' },
    { title: 'STATE', cell: ({ payment }) => stateOfPayment(payment, nowMs) },
    { title: 'TAKEN BACK', cell: ({ takenBack }) => formatAmount(takenBack), align: 'right' },
    { title: 'MISSING', cell: ({ missing }) => formatAmount(missing), align: 'right' },
    {
      title: 'PROBLEM',
      cell: ({ payment }) => (payment.settledAt === null ? payment.problem : null),
    },
  ];
}

function presentPayment({ payment, email, takenBack, missing }: PaymentOverview, nowMs: number) {
  return {
    id: payment.id,
    user_id: payment.userId,
    user: email,
    provider: payment.provider,
    payment_id: payment.paymentId,
    checkout_id: payment.checkoutId,
    amount: formatAmount(payment.amount),
    currency: payment.currency,
    state: stateOfPayment(payment, nowMs),
    transaction_id: payment.transactionId,
    taken_back: formatAmount(takenBack),
    missing: formatAmount(missing),
    problem: payment.problem,
    created_at: isoTime(payment.createdAt),
    ended_at: timeOrNull(payment.endedAt),
    settled_at: timeOrNull(payment.settledAt),
  };
}
