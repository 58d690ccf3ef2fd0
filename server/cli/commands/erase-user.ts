import type { Command } from 'commander';
import { formatAmount } from '../../../shared/money.ts';
import { eraseUserData } from '../../flows/users/erase-user.ts';
import type { Cli } from '../cli.ts';

interface EraseOptions {
  confirm: string;
  forfeit?: boolean;
  reason?: string;
  json?: boolean;
}

/** The end of an account, as far as it tells of a person. */
export function addEraseCommand(users: Command, cli: Cli): void {
  users
    .command('erase <user>')
    .description('erase the personal data of a user for good; ID and amounts stay')
    .requiredOption('--confirm <email>', 'the e-mail address of the user, to be sure')
    .option('--forfeit', 'book out what is left in the wallet, which must be empty otherwise')
    .option('--reason <text>', 'why, for the audit')
    .option('--json', 'print JSON')
    .action((user: string, options: EraseOptions, command: Command) =>
      cli.on(command, async ({ admin }) => {
        const { confirm: email, forfeit = false, reason, json } = options;
        const erased = await eraseUserData(admin(reason), { user, email, forfeit });
        const { userId, name, forfeited, keysRevoked, oldPagesGone } = erased;
        if (json) {
          cli.json({
            id: userId,
            email: erased.email,
            name,
            forfeited: formatAmount(forfeited),
            keys_revoked: keysRevoked,
          });
        } else cli.say(`${userId} is erased, and called ${name} from now on`);
        if (forfeited > 0) cli.note(`${formatAmount(forfeited)} was forfeited.`);
        if (!oldPagesGone) {
          cli.note(
            'The write-ahead log is in use and still holds older pages: restart the service.',
          );
        }
        cli.note('Backups from before still hold the data: see docs/retention.md.');
      }),
    );
}
