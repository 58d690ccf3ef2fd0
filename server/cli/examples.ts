import type { Command } from 'commander';
import { isHelp } from './help.ts';

/** What the help of each command shows; a test sees to it that every command is here. */
export const examples: Readonly<Record<string, readonly string[]>> = {
  serve: ['tintype serve --host 0.0.0.0 --port 8080'],
  demo: ['tintype demo --port 9000'],

  'users add': ['tintype users add alice@example.com --name Alice --top-up 25'],
  'users list': ['tintype users list --json'],
  'users show': ['tintype users show alice@example.com'],
  'users edit': [
    'tintype users edit alice@example.com --slots 32',
    'tintype users edit alice@example.com --default-slots',
  ],
  'users disable': ['tintype users disable alice@example.com --reason "left the company"'],
  'users enable': ['tintype users enable alice@example.com'],
  'users invite': [
    'tintype users invite --email alice@example.com --top-up 25',
    'tintype users invite --role admin --json',
  ],
  'users invitations': ['tintype users invitations'],
  'users uninvite': ['tintype users uninvite inv_01kdvdna00r1hnf218w1804dn2'],
  'users sign-out': ['tintype users sign-out alice@example.com --reason "laptop was stolen"'],
  'users set-password': [
    'tintype users set-password alice@example.com --password-file -',
    'tintype users set-password alice@example.com --password-file password.txt',
  ],
  'users reset-password': ['tintype users reset-password alice@example.com'],
  'users erase': [
    'tintype users erase alice@example.com --confirm alice@example.com',
    'tintype users erase usr_01k0g4x2n0000000000000000 --confirm alice@example.com --forfeit',
  ],
  'users remove-authenticator': [
    'tintype users remove-authenticator alice@example.com --reason "phone lost"',
  ],
  'users unlink-issuer': [
    'tintype users unlink-issuer alice@example.com --reason "new account at the issuer"',
  ],

  'payments list': ['tintype payments list --problems', 'tintype payments list --json'],
  'payments settle': ['tintype payments settle pay_01k --reason "paid back by bank"'],
  'codes create': [
    'tintype codes create 25 --count 100 --note "spring fair" --csv',
    'tintype codes create 10 --expires 2027-04-01 --zone Europe/Berlin',
  ],
  'codes list': ['tintype codes list --state redeemed --json'],
  'codes withdraw': ['tintype codes withdraw bat_01k --reason "the fair was called off"'],

  'keys create': [
    'tintype keys create alice@example.com --name laptop',
    'tintype keys create alice@example.com --models gen-image-2 --expires 2027-01-01',
  ],
  'keys show': ['tintype keys show key_01kdvdna00r1hnf218w1804dn2'],
  'keys edit': [
    'tintype keys edit key_01kdvdna00r1hnf218w1804dn2 --addresses 203.0.113.7,10.0.0.0/8',
    'tintype keys edit key_01kdvdna00r1hnf218w1804dn2 --all-addresses --never-expires',
  ],
  'keys rotate': ['tintype keys rotate key_01kdvdna00r1hnf218w1804dn2 --overlap 1h'],
  'keys disable': ['tintype keys disable key_01kdvdna00r1hnf218w1804dn2 --reason "laptop lost"'],
  'keys enable': ['tintype keys enable key_01kdvdna00r1hnf218w1804dn2'],
  'keys limit': [
    'tintype keys limit key_01kdvdna00r1hnf218w1804dn2 --monthly-limit 50 --zone Europe/Berlin',
    'tintype keys limit key_01kdvdna00r1hnf218w1804dn2 --none',
  ],
  'keys list': ['tintype keys list', 'tintype keys list alice@example.com --json'],
  'keys revoke': ['tintype keys revoke key_01kdvdna00r1hnf218w1804dn2 --reason "was published"'],

  'wallets show': ['tintype wallets show alice@example.com'],
  'wallets list': ['tintype wallets list --json'],
  'wallets top-up': ['tintype wallets top-up alice@example.com 25 --reason "invoice 7"'],
  'wallets adjust': [
    'tintype wallets adjust alice@example.com -3.20 --reason "invoice 7 was entered twice"',
  ],
  'wallets refund': [
    'tintype wallets refund tr_01kdvdna00r1hnf218w1804dn2 --reason "wrong picture"',
    'tintype wallets refund tr_01kdvdna00r1hnf218w1804dn2 --amount 0.02 --reason "half a picture"',
  ],

  'models list': ['tintype models list'],
  'models show': ['tintype models show gen-image-2'],
  'models price': ['tintype models price gen-image-2 0.04'],
  'models enable': ['tintype models enable gen-image-2'],
  'models disable': ['tintype models disable gen-image-2 --reason "too slow today"'],
  'models add': ['tintype models add house-style --description "In our own style"'],
  'models edit': ['tintype models edit house-style --extended-qualities --place 1'],

  'upstreams kinds': ['tintype upstreams kinds', 'tintype upstreams kinds sandbox'],
  'upstreams list': ['tintype upstreams list'],
  'upstreams show': ['tintype upstreams show studio'],
  'upstreams add': [
    'tintype upstreams add test --kind sandbox',
    'tintype upstreams add slow --kind sandbox --set delayMs=8000 --priority 5 --no-sync',
    'tintype upstreams add studio --kind openai-images --preset OpenAI --credential-file key.txt',
    'tintype upstreams add attic --kind comfyui --base-url http://10.0.0.7:8188 --concurrency 1 --set workflows.paint.workflow=@paint.json',
  ],
  'upstreams edit': [
    'tintype upstreams edit studio --priority 1 --weight 3',
    'tintype upstreams edit studio --credential-file - < credential.txt',
    'tintype upstreams edit studio --queue-wait 10s --first-byte 2m --proxy-file proxy.txt',
  ],
  'upstreams keys list': ['tintype upstreams keys list studio'],
  'upstreams keys add': ['tintype upstreams keys add studio second --credential-file second.txt'],
  'upstreams keys replace': [
    'tintype upstreams keys replace studio main --credential-file - < credential.txt',
  ],
  'upstreams keys enable': ['tintype upstreams keys enable studio main'],
  'upstreams keys disable': [
    'tintype upstreams keys disable studio second --reason "billed to the old team"',
  ],
  'upstreams keys remove': ['tintype upstreams keys remove studio second'],
  'upstreams test': [
    'tintype upstreams test studio',
    'tintype upstreams test studio --paid --model gpt-image-2 --save pictures',
  ],
  'upstreams models': ['tintype upstreams models studio --json'],
  'upstreams sync': ['tintype upstreams sync studio'],
  'upstreams select': ['tintype upstreams select gen-image-2 studio sandbox-classic'],
  'upstreams map': [
    'tintype upstreams map gen-image-2 studio gpt-image-2 --strict-mask',
    'tintype upstreams map gen-image-2 attic paint --extra steps=30 --extra cfg=5.5',
    'tintype upstreams map gen-image-2 attic paint --no-strict-mask --clear-extra',
  ],
  'upstreams unselect': ['tintype upstreams unselect gen-image-2 studio sandbox-classic'],
  'upstreams selections': ['tintype upstreams selections'],
  'upstreams enable': ['tintype upstreams enable studio'],
  'upstreams disable': ['tintype upstreams disable studio --reason "down until noon"'],
  'upstreams remove': ['tintype upstreams remove studio'],
  'upstreams rekey': [
    'tintype upstreams rekey --old-key-file old.key',
    'tintype upstreams rekey --old-key-file - < old.key',
  ],

  'usage list': [
    'tintype usage --user alice@example.com --from 2026-11-01 --zone Europe/Berlin',
    'tintype usage list --status failed --csv > failed.csv',
  ],
  'usage show': ['tintype usage show tr_01kdvdna00r1hnf218w1804dn2'],
  transactions: [
    'tintype transactions --user alice@example.com --kind top_up',
    'tintype transactions --from 2026-11-01 --to 2026-11-30 --csv > november.csv',
  ],
  statement: [
    'tintype statement alice@example.com --from 2026-11-01 --to 2026-11-30 --zone Europe/Berlin',
    'tintype statement alice@example.com --csv > statement.csv',
  ],
  audit: ['tintype audit --subject gen-image-2', 'tintype audit --actor cli:alice --json'],
  'notices list': ['tintype notices list --limit 20'],
  'notices test': ['tintype notices test', 'tintype notices test --email alice@example.com'],
  'settings list': ['tintype settings list'],
  'settings set': ['tintype settings set slots_per_user 32', 'tintype settings set low_balance 5'],
  verify: ['tintype verify', 'tintype verify --json'],
  migrate: ['tintype migrate --status', 'tintype migrate'],
  backup: ['tintype backup /mnt/backups/tintype-2026-11-21.db'],
  restore: ['tintype restore /mnt/backups/tintype-2026-11-21.db --force'],
  'migrate-to': [
    'tintype migrate-to postgres://tintype:secret@db.example.com/tintype',
    'tintype migrate-to - < url.txt',
  ],
  config: ['tintype config', 'tintype config --config tintype.env --json'],
};

/** Puts the examples into the help of every command below `program`. */
export function addExamples(program: Command): void {
  for (const { path, command } of commandsBelow(program)) {
    const lines = examples[path];
    if (!lines) continue;
    const title = lines.length === 1 ? 'Example' : 'Examples';
    command.addHelpText('after', `\n${title}:\n${lines.map((line) => `  $ ${line}`).join('\n')}`);
  }
}

/** The commands that do something, by their words behind `tintype`. */
export function commandsBelow(
  parent: Command,
  path: readonly string[] = [],
): readonly { path: string; command: Command }[] {
  const doing = parent.commands.filter((command) => !isHelp(command));
  return doing.flatMap((command) => {
    const words = [...path, command.name()];
    return command.commands.length === 0
      ? [{ path: words.join(' '), command }]
      : commandsBelow(command, words);
  });
}
