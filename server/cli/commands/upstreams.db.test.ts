import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { type CommandLine, commandLine } from '../../../test/support/processes/command-line.ts';
import { makeScratchFolder } from '../../../test/support/scratch.ts';
import { addStudio } from '../../../test/support/upstreams/studio.ts';
import type { Database } from '../../db/db.ts';
import { setEnabledOfModel } from '../../flows/models/enable-model.ts';

const proxy = 'http://me:pr0xy-pw@10.0.0.1:3128';

forEachEngine((engine) => {
  let database: Database;
  let cli: CommandLine;

  beforeEach(async () => {
    database = await engine.open();
    cli = commandLine(engine.locationOf(database));
  });

  describe('adding an upstream', () => {
    it('begins with a preset, whose values give way to those named', async () => {
      await addOpenai('--preset', 'openai', '--set', 'stream=never');
      expect(await show()).toMatchObject({
        base_url: 'https://api.openai.com/v1',
        settings: { dialect: 'openai', stream: 'never' },
      });
      await addOpenai('--preset', 'OpenAI', '--base-url', 'https://proxy.example/v1', 'other');
      expect(await show('other')).toMatchObject({ base_url: 'https://proxy.example/v1' });
    });

    it('takes settings from files', async () => {
      const file = makeFile('names.json', '{"pictures": "gpt-image-2"}');
      await addOpenai('--set', `modelNames=@${file}`, '--set', 'modelNames.more=gpt-image-1.5');
      expect(await show()).toMatchObject({
        settings: { modelNames: { pictures: 'gpt-image-2', more: 'gpt-image-1.5' } },
      });
    });

    it('sets limits and a proxy, and shows them with their units', async () => {
      const file = makeFile('proxy.txt', `${proxy}\n`);
      const limits = ['--concurrency', '4', '--queue', '0', '--queue-wait', '1m', '--idle', '90s'];
      await addOpenai(...limits, '--first-byte', '500ms', '--proxy-file', file);
      expect(await show()).toMatchObject({
        proxy: 'set',
        limits: {
          concurrency_max: 4,
          queue_max: 0,
          queue_wait_ms: 60_000,
          first_byte_ms: 500,
          idle_ms: 90_000,
        },
      });
      const shown = await cli.out('upstreams', 'show', 'openai');
      expect(shown).toMatch(/^calls at once +4$/m);
      expect(shown).toMatch(/^wait in the queue +1m$/m);
      expect(shown).toMatch(/^wait for an answer +500ms$/m);
      expect(shown).toMatch(/^key main +enabled$/m);
      expect(shown).toMatch(/^setting dialect +"openai"$/m);
      expect(shown + JSON.stringify(await cli.json('audit'))).not.toContain('pr0xy-pw');
    });

    async function addOpenai(...args: readonly string[]) {
      const name = args.at(-1) === 'other' ? 'other' : 'openai';
      const options = args.filter((arg) => arg !== 'other');
      const kind = ['--kind', 'openai-images', '--no-sync', '--credential-file', '-'];
      const preset = options.includes('--preset') ? [] : ['--preset', 'OpenAI'];
      const line = ['upstreams', 'add', name, ...kind, ...preset, ...options];
      expect(await cli.runWithInput('hunter2\n', ...line)).toMatchObject({ exitCode: 0, err: '' });
    }
  });

  describe('editing an upstream', () => {
    beforeEach(async () => {
      const kind = ['--kind', 'openai-images', '--preset', 'OpenAI', '--no-sync'];
      const line = ['upstreams', 'add', 'openai', ...kind, '--credential-file', '-'];
      await cli.runWithInput('hunter2\n', ...line);
    });

    it('takes a credential from standard input and shows only that there is one', async () => {
      expect(await edit('hunter3\n', '--credential-file', '-')).toMatchObject({ exitCode: 0 });
      const shown = (await cli.out('upstreams', 'show', 'openai')) + (await cli.out('audit'));
      expect(shown).toContain('{"name":"openai","credential":"replaced"}');
      expect(shown).not.toContain('hunter');
      const nothing = await edit('\n', '--credential-file', '-');
      expect(nothing).toMatchObject({ exitCode: 2, err: 'error: the credential is empty\n' });
    });

    it('moves it to another host together with its credential, in one step', async () => {
      const url = 'https://gateway.example/v1';
      const refused = await edit('', '--base-url', url);
      expect(refused.exitCode).toBe(1);
      expect(refused.err).toContain('not meant for');
      const moved = await edit('theirs\n', '--base-url', url, '--credential-file', '-');
      expect(moved).toEqual({
        exitCode: 0,
        out: 'openai is saved\n',
        err: 'Fetch its model list: tintype upstreams sync openai\n',
      });
      expect(await show()).toMatchObject({ base_url: url, keys: [{ name: 'main' }] });
    });

    it('changes single limits and settings, and takes them back', async () => {
      // What is set may say how the models of its list are called.
      const named = ['--concurrency', '4', '--idle', '10s', '--set', 'modelNames.a=gpt-image-2'];
      expect((await edit('', ...named)).err).toContain('tintype upstreams sync openai');
      await edit('', '--concurrency', 'none', '--set', 'stream=never');
      expect(await show()).toMatchObject({
        limits: { concurrency_max: null, idle_ms: 10_000 },
        settings: { dialect: 'openai', modelNames: { a: 'gpt-image-2' }, stream: 'never' },
      });
      await edit('', '--unset', 'modelNames.a', 'stream');
      expect((await show())['settings']).toEqual({ dialect: 'openai', modelNames: {} });
    });

    it('forgets the proxy', async () => {
      await edit(proxy, '--proxy-file', '-');
      expect(await show()).toMatchObject({ proxy: 'set' });
      await edit('', '--no-proxy');
      expect(await show()).toMatchObject({ proxy: 'not set' });
    });

    function edit(input: string, ...args: readonly string[]) {
      return cli.runWithInput(input, 'upstreams', 'edit', 'openai', ...args);
    }
  });

  describe('the keys of an upstream', () => {
    beforeEach(async () => {
      await addStudio(database);
    });

    it('are listed without their credentials', async () => {
      const key = ['studio', 'spare', '--credential-file'];
      const file = makeFile('spare.txt', 'hunter2-of-spare\n');
      expect(await cli.out('upstreams', 'keys', 'add', ...key, file)).toBe(
        'studio has the key spare\n',
      );
      const replaced = await cli.runWithInput(
        'hunter3-of-the-new-key\n',
        'upstreams',
        'keys',
        'replace',
        ...key,
        '-',
      );
      expect(replaced).toMatchObject({ exitCode: 0, err: '' });
      await cli.out('upstreams', 'keys', 'disable', 'studio', 'main');
      const listed = await cli.out('upstreams', 'keys', 'list', 'studio');
      expect(listed).toMatch(
        /^KEY +ENDS IN +ENABLED +DISABLED BY SERVICE BECAUSE OF +ADDED \(UTC\)\nmain +- +no .*\nspare +-key +yes /,
      );
      const { keys } = await cli.json('upstreams', 'keys', 'list', 'studio');
      expect(keys).toMatchObject([
        { name: 'main', enabled: false, disabled_reason: null, last_four: null },
        { name: 'spare', enabled: true, last_four: '-key' },
      ]);
      expect(await cli.out('upstreams', 'list')).toMatch(/studio .* 1 of 2 /);
      const all = [listed, keys, await cli.out('audit'), await cli.json('audit')];
      expect(JSON.stringify(all)).not.toContain('hunter');
    });

    it('take the last upstream from a model, and give it back, and say so', async () => {
      const disabled = await cli.run('upstreams', 'keys', 'disable', 'studio', 'main');
      expect(disabled).toEqual({
        exitCode: 0,
        out: 'the key main of studio is disabled\n',
        err:
          'gen-image-2 has no upstream any more and cannot be used\n' +
          'studio has no enabled key: tintype upstreams keys enable studio main\n',
      });
      expect(await cli.run('upstreams', 'keys', 'enable', 'studio', 'main')).toMatchObject({
        exitCode: 0,
        err: 'gen-image-2 has an upstream now\n',
      });
    });

    it('are of no use while the upstream is disabled, which is said', async () => {
      await cli.out('upstreams', 'disable', 'studio');
      const args = ['upstreams', 'keys', 'add', 'studio', 'spare', '--credential-file', '-'];
      const added = await cli.runWithInput('hunter2', ...args);
      expect(added.err).toBe('studio is disabled: tintype upstreams enable studio\n');
      await cli.out('upstreams', 'keys', 'remove', 'studio', 'main');
      const enabled = await cli.run('upstreams', 'enable', 'studio');
      expect(enabled.err).toBe('gen-image-2 has an upstream now\n');
      expect(await show('studio')).toMatchObject({ keys: [{ name: 'spare' }] });
    });

    it('leave an upstream that can do without to be called without, which is said', async () => {
      const add = ['upstreams', 'add', 'gpu', '--kind', 'openai-images', '--preset', 'Ollama'];
      await cli.runWithInput('hunter2', ...add, '--no-sync', '--credential-file', '-');
      const removed = await cli.run('upstreams', 'keys', 'remove', 'gpu', 'main');
      expect(removed).toMatchObject({ exitCode: 0 });
      expect(removed.err).toContain(
        'gpu has no key any more and is called without a credential. To keep it out: tintype upstreams disable gpu.',
      );
    });

    it('and the proxy can be entered again as the documentation says, when the secret key is lost', async () => {
      const add = ['upstreams', 'add', 'gpu', '--kind', 'openai-images', '--preset', 'Ollama'];
      const proxyFile = makeFile('proxy.url', proxy);
      const first = ['--no-sync', '--credential-file', '-', '--proxy-file', proxyFile];
      expect(await cli.runWithInput('old', ...add, ...first)).toMatchObject({ exitCode: 0 });
      const other = commandLine(engine.locationOf(database), {
        TINTYPE_SECRET_KEY: '09'.repeat(32),
      });
      for (const upstream of ['studio', 'gpu']) {
        const replace = ['upstreams', 'keys', 'replace', upstream, 'main'];
        const lost = ['--credential-file', '-', '--lost-secret-key'];
        expect(await other.runWithInput('new', ...replace, ...lost)).toMatchObject({ exitCode: 0 });
      }
      await other.out('upstreams', 'edit', 'gpu', '--no-proxy');
      const edit = ['upstreams', 'edit', 'gpu', '--proxy-file', proxyFile];
      expect((await other.run(...edit)).err).toContain('is http, without encryption');
      const both = [...edit, '--credential-file', '-'];
      expect(await other.runWithInput('new', ...both)).toMatchObject({ exitCode: 0 });
      const rekey = ['upstreams', 'rekey', '--old-key-file', '-'];
      expect((await other.runWithInput('07'.repeat(32), ...rekey)).out).toContain('3 were already');
    });

    it('can be entered again when the secret key is lost', async () => {
      const other = commandLine(engine.locationOf(database), {
        TINTYPE_SECRET_KEY: '09'.repeat(32),
      });
      const replace = ['upstreams', 'keys', 'replace', 'studio', 'main', '--credential-file', '-'];
      const refused = await other.runWithInput('new', ...replace);
      expect(refused).toMatchObject({ exitCode: 1 });
      expect(refused.err).toContain('the key studio/main was sealed with another secret key');
      const done = await other.runWithInput('new', ...replace, '--lost-secret-key');
      expect(done).toMatchObject({ exitCode: 0 });
    });
  });

  describe('mapping a model', () => {
    it('shows up in the selections', async () => {
      const { admin } = await addStudio(database);
      await setEnabledOfModel(admin, { modelId: 'gen-image-2', enabled: false });
      const map = ['upstreams', 'map', 'gen-image-2', 'studio', 'paint-1'];
      expect(await cli.out(...map, '--strict-mask', '--extra', 'steps=30')).toBe(
        'paint-1 of studio serves gen-image-2: strict mask on, extra {"steps":30}\n',
      );
      await cli.out(...map, '--extra', 'style=ink');
      const row = { model: 'gen-image-2', upstream: 'studio', upstream_model: 'paint-1' };
      expect(await cli.json('upstreams', 'selections')).toEqual({
        selections: [{ ...row, strict_mask: true, extra: { steps: 30, style: 'ink' } }],
      });
      expect(await cli.out('upstreams', 'selections')).toMatch(/ yes +steps=30 style="ink"\n/);
      await cli.out(...map, '--no-strict-mask', '--clear-extra', '--extra', 'seed=7');
      expect(await cli.json('upstreams', 'selections')).toEqual({
        selections: [{ ...row, strict_mask: false, extra: { seed: 7 } }],
      });
      expect(await cli.out('upstreams', 'show', 'studio')).toMatch(
        /^serves gen-image-2 +with paint-1$/m,
      );
      expect(await cli.json('upstreams', 'show', 'studio')).toMatchObject({
        selections: [{ model: 'gen-image-2', upstream_model: 'paint-1' }],
      });
      const refused = await cli.run(...map, '--extra', 'prompt=a cat');
      expect(refused.exitCode).toBe(1);
      expect(refused.err).toContain('An extra field cannot be prompt');
    });
  });

  describe('changing the secret key', () => {
    it('re-seals what is stored, and says how much', async () => {
      await addStudio(database, { keys: ['main', 'spare'] });
      const other = commandLine(engine.locationOf(database), {
        TINTYPE_SECRET_KEY: '09'.repeat(32),
      });
      const rekey = ['upstreams', 'rekey', '--old-key-file'];
      const wrong = await other.runWithInput('05'.repeat(32), ...rekey, '-');
      expect(wrong).toMatchObject({ exitCode: 1, out: '' });
      expect(wrong.err).toContain('the key studio/main, the key studio/spare;');
      expect(await other.run(...rekey, makeFile('old.key', `${'07'.repeat(32)}\n`))).toEqual({
        exitCode: 0,
        out: '2 secrets are now sealed with the present secret key\n',
        err: 'Start every service again with the present secret key.\n',
      });
      expect(await other.runWithInput('07'.repeat(32), ...rekey, '-')).toEqual({
        exitCode: 0,
        out: '0 secrets are now sealed with the present secret key; 2 were already\n',
        err: '',
      });
    });
  });

  async function show(name = 'openai') {
    return cli.json('upstreams', 'show', name);
  }
});

function makeFile(name: string, content: string): string {
  const folder = makeScratchFolder('upstreams');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}
