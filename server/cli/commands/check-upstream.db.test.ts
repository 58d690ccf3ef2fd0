import { beforeEach, describe, expect, it } from 'vitest';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { type CommandLine, commandLine } from '../../../test/support/processes/command-line.ts';
import { PaintService } from '../../../test/support/upstreams/paint-service.ts';
import type { Database } from '../../db/db.ts';
import { UpstreamError } from '../../upstreams/upstream.ts';

const probe = ['upstreams', 'test', 'studio', '--paid', '--model', 'paint-1'];

forEachEngine((engine) => {
  let database: Database;
  let cli: CommandLine;
  let service: PaintService;

  beforeEach(async () => {
    database = await engine.open();
    service = new PaintService();
    const kinds = new Map([[service.kind.kind, service.kind]]);
    cli = commandLine(engine.locationOf(database), {}, kinds);
    await cli.out('upstreams', 'add', 'studio', '--kind', 'scripted');
  });

  describe('the free test', () => {
    it('says how many models came and how long it took', async () => {
      const { exitCode, out, err } = await cli.run('upstreams', 'test', 'studio');
      expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
      expect(out).toMatch(/^studio answers: 2 models in \d+ ms\n$/);
      expect(service.jobs).toEqual([]);
    });

    it('says what is new and gone, and keeps the list as it is', async () => {
      service.models = ['paint-2', 'paint-3'];
      const { out, err } = await cli.run('upstreams', 'test', 'studio');
      expect(out).toMatch(/^studio answers: 2 models in \d+ ms\n {2}\+ paint-3\n {2}- paint-1\n$/);
      expect(err).toContain('tintype upstreams sync studio');
      expect(await cli.json('upstreams', 'test', 'studio')).toEqual({
        name: 'studio',
        models: 2,
        added: ['paint-3'],
        gone: ['paint-1'],
        keys: [
          {
            name: null,
            answers: true,
            took_ms: expect.any(Number),
            models: 2,
            fault: null,
            status: null,
            message: null,
          },
        ],
      });
      const { upstream_models: kept } = await cli.json('upstreams', 'models', 'studio');
      expect(kept).toMatchObject([{ upstream_model: 'paint-1' }, { upstream_model: 'paint-2' }]);
    });

    it('fails with the fault of an upstream that does not answer', async () => {
      service.trouble = new UpstreamError('auth', 'the key was refused');
      expect(await cli.run('upstreams', 'test', 'studio')).toEqual({
        exitCode: 1,
        out: '',
        err: 'error: studio failed (auth): the key was refused\n',
      });
    });
  });

  describe('with several keys', () => {
    beforeEach(async () => {
      for (const [key, credential] of Object.entries({ main: 'good', spare: 'bad' })) {
        const add = ['upstreams', 'keys', 'add', 'studio', key, '--credential-file', '-'];
        await cli.runWithInput(credential, ...add);
      }
      service.refused = 'bad';
    });

    it('the free test tries each, and says which fails', async () => {
      const { exitCode, out, err } = await cli.run('upstreams', 'test', 'studio');
      expect(exitCode).toBe(1);
      expect(out).toMatch(
        /^studio with the key main answers: 2 models in \d+ ms\nstudio with the key spare failed \(auth\): refused\n$/,
      );
      expect(err).toBe('error: 1 of 2 keys of studio failed\n');
      const { out: json } = await cli.run('upstreams', 'test', 'studio', '--json');
      const { keys } = JSON.parse(json) as { keys: unknown };
      expect(keys).toMatchObject([
        { name: 'main', answers: true, fault: null },
        { name: 'spare', answers: false, fault: 'auth', status: 401, message: 'refused' },
      ]);
    });

    it('both tests use the key that is named, also a disabled one', async () => {
      await cli.out('upstreams', 'keys', 'disable', 'studio', 'spare');
      expect(await cli.run('upstreams', 'test', 'studio')).toMatchObject({ exitCode: 0 });
      const spare = ['--key', 'spare'];
      expect(await cli.run('upstreams', 'test', 'studio', ...spare)).toMatchObject({
        exitCode: 1,
        err: 'error: studio failed (auth): refused\n',
      });
      const { out } = await cli.run(...probe, ...spare, '--yes', '--json');
      const { results } = JSON.parse(out) as { results: unknown };
      expect(results).toMatchObject([{ upstream_key: 'spare' }, { upstream_key: 'spare' }]);
      expect(await cli.run('upstreams', 'test', 'studio', '--key', 'spar')).toMatchObject({
        err: 'error: studio has no key spar; did you mean spare?\n',
      });
    });
  });
});
