/** The credentials of an upstream, by their names. A credential is never shown. */
import type { Command } from 'commander';
import { hasUsableKeys } from '../../catalog/catalog.ts';
import type { UpstreamKey } from '../../catalog/upstream.ts';
import { listUpstreamKeys } from '../../catalog/upstream-key-store.ts';
import { requireUpstream } from '../../catalog/upstream-store.ts';
import type { Db } from '../../db/db.ts';
import type { ServingChange } from '../../flows/models/serving-change.ts';
import {
  addUpstreamKey,
  removeUpstreamKey,
  replaceUpstreamKey,
  setEnabledOfUpstreamKey,
} from '../../flows/upstreams/change-upstream-keys.ts';
import { needsKey } from '../../flows/upstreams/key-need.ts';
import { isoTime, utcTime } from '../../lib/time-text.ts';
import { adapterKinds } from '../../upstreams/registry.ts';
import type { Cli } from '../cli.ts';
import { type Column, printTable } from '../output.ts';
import { orInput, readSecret } from '../secret-input.ts';
import { noteServing } from './selections.ts';

export function addUpstreamKeyCommands(upstreams: Command, cli: Cli): void {
  const keys = upstreams
    .command('keys')
    .description('the credentials of an upstream; its calls are shared among those enabled');
  addListCommand(keys, cli);
  addAddCommand(keys, cli);
  addReplaceCommand(keys, cli);
  addEnableCommands(keys, cli);
  addRemoveCommand(keys, cli);
}

function addListCommand(keys: Command, cli: Cli): void {
  keys
    .command('list <upstream>')
    .description('the keys of an upstream, without their credentials')
    .option('--json', 'print JSON')
    .action((upstream: string, { json }: { json?: boolean }, command: Command) =>
      cli.on(command, async ({ database }) => {
        const { id, name } = await requireUpstream(database, upstream);
        const rows = await listUpstreamKeys(database, { upstreamId: id });
        if (json) cli.json({ keys: rows.map(presentUpstreamKey) });
        else {
          printTable(cli.terminal, {
            rows,
            columns: keyColumns,
            empty: `${name} has no keys. Add one: tintype upstreams keys add ${name} <key> --credential-file <file>`,
          });
        }
      }),
    );
}

interface CredentialOptions {
  credentialFile: string;
  reason?: string;
}

function addAddCommand(keys: Command, cli: Cli): void {
  keys
    .command('add <upstream> <key>')
    .description('give an upstream one more key, under a name of yours')
    .requiredOption('--credential-file <file>', `file that holds its credential; ${orInput}`)
    .option('--reason <text>', 'why, for the audit')
    .action(async (...given: [string, string, CredentialOptions, Command]) => {
      const [upstream, name, { credentialFile: file, reason }, command] = given;
      const credential = await readSecret(cli, { file, what: 'credential' });
      await cli.on(command, async ({ admin, database, upstreamAccess }) => {
        const wanted = { upstream, name, credential };
        const change = await addUpstreamKey(admin(reason), upstreamAccess(), wanted);
        cli.say(`${upstream} has the key ${name}`);
        await noteKeyChange(cli, database, change);
      });
    });
}

interface ReplaceOptions extends CredentialOptions {
  lostSecretKey?: boolean;
}

function addReplaceCommand(keys: Command, cli: Cli): void {
  keys
    .command('replace <upstream> <key>')
    .description('give a key another credential; one that the service disabled works again')
    .requiredOption('--credential-file <file>', `file that holds its credential; ${orInput}`)
    .option(
      '--lost-secret-key',
      'the secret key that sealed what is stored is lost: seal with the present one',
    )
    .option('--reason <text>', 'why, for the audit')
    .action(async (...given: [string, string, ReplaceOptions, Command]) => {
      const [upstream, name, options, command] = given;
      const { credentialFile: file, lostSecretKey: masterKeyLost = false, reason } = options;
      const credential = await readSecret(cli, { file, what: 'credential' });
      await cli.on(command, async ({ admin, database, upstreamAccess }) => {
        const wanted = { upstream, name, credential, masterKeyLost };
        const change = await replaceUpstreamKey(admin(reason), upstreamAccess(), wanted);
        cli.say(`the key ${name} of ${upstream} is replaced`);
        await noteKeyChange(cli, database, change);
      });
    });
}

function addEnableCommands(keys: Command, cli: Cli): void {
  const enabling = [
    { word: 'enable', enabled: true, description: 'make calls with a key (again)' },
    { word: 'disable', enabled: false, description: 'make no calls with a key; it is kept' },
  ];
  for (const { word, enabled, description } of enabling) {
    keys
      .command(`${word} <upstream> <key>`)
      .description(description)
      .option('--reason <text>', 'why, for the audit')
      .action((...given: [string, string, { reason?: string }, Command]) => {
        const [upstream, name, { reason }, command] = given;
        return cli.on(command, async ({ admin, database }) => {
          const wanted = { upstream, name, enabled };
          const change = await setEnabledOfUpstreamKey(admin(reason), wanted);
          cli.say(`the key ${name} of ${upstream} is ${word}d`);
          await noteKeyChange(cli, database, change);
        });
      });
  }
}

function addRemoveCommand(keys: Command, cli: Cli): void {
  keys
    .command('remove <upstream> <key>')
    .description('delete a key')
    .option('--reason <text>', 'why, for the audit')
    .action((...given: [string, string, { reason?: string }, Command]) => {
      const [upstream, name, { reason }, command] = given;
      return cli.on(command, async ({ admin, database }) => {
        const access = { kinds: adapterKinds };
        const change = await removeUpstreamKey(admin(reason), access, { upstream, name });
        cli.say(`the key ${name} of ${upstream} is removed`);
        await noteKeyChange(cli, database, change);
        await noteKeyless(cli, database, change.result.upstreamId);
      });
    });
}

async function noteKeyChange(
  cli: Cli,
  db: Db,
  change: ServingChange<Pick<UpstreamKey, 'upstreamId'>>,
): Promise<void> {
  noteServing(cli, change);
  await noteIdle(cli, db, change.result.upstreamId);
}

/** Says what becomes of an upstream without keys: of some kinds it is called all the same. */
async function noteKeyless(cli: Cli, db: Db, upstreamId: string): Promise<void> {
  const { name, kind } = await requireUpstream(db, upstreamId);
  if ((await listUpstreamKeys(db, { upstreamId })).length > 0) return;
  const give = `tintype upstreams keys add ${name} <key> --credential-file <file>`;
  cli.note(
    needsKey(adapterKinds, kind)
      ? `${name} has no key any more, and needs one before it can be enabled: ${give}`
      : `${name} has no key any more and is called without a credential. To keep it out: tintype upstreams disable ${name}. To give it a key: ${give}`,
  );
}

/** Says what keeps an upstream from being called. */
export async function noteIdle(cli: Cli, db: Db, upstreamId: string): Promise<void> {
  const { name, enabled } = await requireUpstream(db, upstreamId);
  const keys = await listUpstreamKeys(db, { upstreamId });
  if (!enabled) cli.note(`${name} is disabled: tintype upstreams enable ${name}`);
  if (hasUsableKeys(keys)) return;
  const key = keys.length === 1 && keys[0] ? keys[0].name : '<key>';
  cli.note(`${name} has no enabled key: tintype upstreams keys enable ${name} ${key}`);
}

/** A key as programs get it; its credential is left out. */
export function presentUpstreamKey(key: UpstreamKey) {
  return {
    id: key.id,
    name: key.name,
    enabled: key.enabled,
    disabled_reason: key.disabledReason,
    last_four: key.lastFour,
    created_at: isoTime(key.createdAt),
  };
}

const keyColumns: readonly Column<UpstreamKey>[] = [
  { title: 'KEY', cell: ({ name }) => name },
  { title: 'ENDS IN', cell: ({ lastFour }) => lastFour },
  { title: 'ENABLED', cell: ({ enabled }) => enabled },
  { title: 'DISABLED BY SERVICE BECAUSE OF', cell: ({ disabledReason }) => disabledReason },
  { title: 'ADDED (UTC)', cell: ({ createdAt }) => utcTime(createdAt) },
];
