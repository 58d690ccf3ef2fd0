import type { Command } from 'commander';
import { type Amount, formatAmount } from '../../../shared/money.ts';
import { refundCharge } from '../../flows/money/refund-charge.ts';
import { amountAboveZero } from '../arguments.ts';
import type { Cli } from '../cli.ts';

interface RefundOptions {
  amount?: Amount;
  reason: string;
}

export function addRefundCommand(wallets: Command, cli: Cli): void {
  wallets
    .command('refund <trace-id>')
    .description('return the charge of one request, or a part of it; once')
    .option('--amount <amount>', 'only this much, such as 0.02', amountAboveZero)
    .requiredOption('--reason <text>', 'why; shown to the user')
    .action((traceId: string, { amount, reason }: RefundOptions, command: Command) =>
      cli.on(command, async ({ admin }) => {
        const { charged, refunded, balance } = await refundCharge(admin(reason), {
          traceId,
          amount: amount ?? null,
        });
        cli.say(
          `${formatAmount(refunded)} of the charge of ${formatAmount(charged)} is returned; ` +
            `the balance is now ${formatAmount(balance)}`,
        );
      }),
    );
}
