import type { Command } from 'commander';
import type { Config } from '../../config.ts';
import { changeSetting } from '../../flows/installation/change-setting.ts';
import { nearest } from '../../lib/nearest.ts';
import {
  findSetting,
  lowBalanceOf,
  type SettingKey,
  type Settings,
  settingKeys,
  settingsTable,
} from '../../settings/settings.ts';
import { readSettings } from '../../settings/settings-store.ts';
import type { Cli } from '../cli.ts';
import { UsageError } from '../failure.ts';
import { printTable } from '../output.ts';

export function addSettingCommands(program: Command, cli: Cli): void {
  const settings = program
    .command('settings')
    .description('values that change while the service runs');
  addListCommand(settings, cli);
  addSetCommand(settings, cli);
}

function addListCommand(settings: Command, cli: Cli): void {
  settings
    .command('list')
    .description('all settings')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }, command: Command) =>
      cli.on(command, async ({ database }) => {
        const values = await readSettings(database);
        const rows = settingKeys.map((key) => {
          const { name, default: standard, expected, description } = settingsTable[key];
          return { name, value: values[key], default: standard, expected, description };
        });
        if (json) {
          cli.json({ settings: rows });
          return;
        }
        printTable(cli.terminal, {
          rows,
          columns: [
            { title: 'NAME', cell: (row) => row.name },
            { title: 'VALUE', cell: (row) => row.value, align: 'right' },
            { title: 'DEFAULT', cell: (row) => row.default, align: 'right' },
            { title: 'MEANING', cell: (row) => row.description },
          ],
          empty: 'There are no settings.',
        });
      }),
    );
}

function addSetCommand(settings: Command, cli: Cli): void {
  settings
    .command('set <name> <value>')
    .description('change a setting; running processes follow within a second')
    .option('--reason <text>', 'why, for the audit')
    .action((...given: [string, string, { reason?: string }, Command]) => {
      const [name, value, { reason }, command] = given;
      const key = findSetting(name);
      if (!key) throw new UsageError(unknownSetting(name));
      return cli.on(command, async ({ admin, config, database }) => {
        const changed = await changeSetting(admin(reason), { key, value });
        cli.say(`${name} is ${changed}`);
        const settings = await readSettings(database);
        for (const gap of noticeGaps({ key, settings, config })) cli.note(`note: ${gap}`);
      });
    });
}

/**
 * What keeps notices from being sent with the setting that was changed, as far as this command's own
 * options tell: the service may have others.
 */
function noticeGaps({
  key,
  settings,
  config,
}: {
  key: SettingKey;
  settings: Settings;
  config: Config;
}): string[] {
  const hasUrl = settings.noticeWebhookUrl !== '';
  if (key === 'noticeWebhookUrl' && hasUrl && config.noticeSecret === null) {
    return ['the service needs TINTYPE_NOTICE_SECRET, or it posts nothing; it is not set here'];
  }
  if (key === 'lowBalance' && lowBalanceOf(settings) > 0 && !hasUrl && config.smtpUrl === null) {
    return ['nobody is told: neither notice_webhook_url nor TINTYPE_SMTP_URL is set here'];
  }
  return [];
}

function unknownSetting(name: string): string {
  const names = settingKeys.map((key) => settingsTable[key].name);
  const guess = nearest(name, names);
  return `there is no setting ${name}; ${guess === null ? `known: ${names.join(', ')}` : `did you mean ${guess}?`}`;
}
