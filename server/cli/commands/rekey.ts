import type { Command } from 'commander';
import { rekey } from '../../flows/installation/rekey.ts';
import { decodeMasterKey, draftMasterKey, masterKeyForm } from '../../lib/master-key.ts';
import { SecretBox } from '../../lib/secret-box.ts';
import type { Cli } from '../cli.ts';
import { UsageError } from '../failure.ts';
import { inLines } from '../help.ts';
import { counted } from '../output.ts';
import { orInput, readSecret } from '../secret-input.ts';

interface RekeyOptions {
  oldKeyFile: string;
  reason?: string;
}

export function addRekeyCommand(upstreams: Command, cli: Cli): void {
  upstreams
    .command('rekey')
    .description(
      'seal all credentials, proxies and authenticators with the present secret key instead of an old one',
    )
    .requiredOption('--old-key-file <file>', `file that holds the old secret key; ${orInput}`)
    .option('--reason <text>', 'why, for the audit')
    .addHelpText(
      'after',
      inLines([
        {
          text:
            'The present secret key is TINTYPE_SECRET_KEY, or secret.key in the data folder. Services that run with ' +
            'the old one go on with what they know; start them again with the new one.',
        },
      ]),
    )
    .action(async ({ oldKeyFile: file, reason }: RekeyOptions, command: Command) => {
      const oldKey = decodeMasterKey(await readSecret(cli, { file, what: 'old secret key' }));
      if (!oldKey) throw new UsageError(`the old secret key must be ${masterKeyForm}`);
      await cli.on(command, async ({ admin, config }) => {
        const { key, keep: keepPresent } = draftMasterKey(config);
        const keys = { old: new SecretBox(oldKey), present: new SecretBox(key), keepPresent };
        const { resealed, kept } = await rekey(admin(reason), keys);
        const before = kept === 0 ? '' : `; ${counted(kept, 'was', 'were')} already`;
        cli.say(
          `${counted(resealed, 'secret is', 'secrets are')} now sealed with the present secret key${before}`,
        );
        if (resealed > 0) cli.note('Start every service again with the present secret key.');
      });
    });
}
