import { beforeEach, describe, expect, it } from 'vitest';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { type CommandLine, commandLine } from '../../../test/support/processes/command-line.ts';

forEachEngine((engine) => {
  let cli: CommandLine;

  beforeEach(async () => {
    cli = commandLine(engine.locationOf(await engine.open()));
  });

  describe('adding an upstream', () => {
    it('does not take the example host of a preset for a base URL', async () => {
      const add = ['upstreams', 'add', 'azure', '--kind', 'openai-images', '--no-sync'];
      const preset = ['--preset', 'azure openai'];
      const refused = await cli.run(...add, ...preset);
      expect(refused).toEqual({
        exitCode: 2,
        out: '',
        err: 'error: the preset "Azure OpenAI" needs --base-url <url>: in https://your-resource.openai.azure.com/openai/v1, put the name that is yours\n',
      });
      const url = 'https://your-resource.openai.azure.com/openai/v2';
      const copied = await cli.run(...add, ...preset, '--base-url', url);
      expect(copied).toMatchObject({
        exitCode: 1,
        err: `error: ${url} is an example: give the base URL that your account has.\n`,
      });
      const own = ['--base-url', 'https://your-pictures.example/v1'];
      expect(await cli.run(...add, ...preset, ...own)).toMatchObject({ exitCode: 0 });
      const edited = await cli.run('upstreams', 'edit', 'azure', '--base-url', url);
      expect(edited.err).toContain('is an example');
    });

    it('says all that is missing, and what a misspelt setting should be', async () => {
      const nothing = await cli.run('upstreams', 'add');
      expect(nothing.exitCode).toBe(2);
      expect(nothing.err).toMatch(
        /^error: an upstream needs a name of your choice and --kind \(a1111, comfyui,.*\), mostly also --credential-file/,
      );
      expect((await cli.run('upstreams', 'add', 'x')).err).toMatch(
        /^error: an upstream needs --kind \(/,
      );
      const add = ['upstreams', 'add', 'x', '--kind', 'openai-images', '--preset', 'Ollama'];
      expect(await cli.run(...add, '--set', 'strem=never')).toEqual({
        exitCode: 1,
        out: '',
        err: 'error: There is no setting strem; did you mean stream? See: tintype upstreams kinds openai-images\n',
      });
    });

    it('is kept when its list does not come, and says how to mend it', async () => {
      // Nobody listens on the discard port.
      const at = ['--kind', 'openai-images', '--base-url', 'http://127.0.0.1:9/v1'];
      const { exitCode, out, err } = await cli.run('upstreams', 'add', 'gpu', ...at);
      expect(exitCode).toBe(1);
      expect(out).toMatch(/^gpu is added: up_/);
      expect(err).toContain('error: gpu failed (unavailable): ');
      expect(err).toContain('; it was asked at http://127.0.0.1:9/v1\n');
      expect(err).toContain('gpu is kept, without a model list.');
      expect(err).toContain('\n  tintype upstreams sync gpu\n');
      const synced = await cli.run('upstreams', 'sync', 'gpu');
      expect(synced.err).toMatch(/^error: gpu failed .* it was asked at http.*\n$/);
    });

    it('shows the person at the terminal what it waits for', async () => {
      const add = ['upstreams', 'add', 'test', '--kind', 'sandbox'];
      const nobody = { onInterrupt: () => () => {} };
      const { exitCode, err } = await cli.runAtTerminal(nobody, '', ...add);
      expect(exitCode).toBe(0);
      expect(err).toContain('asking test for its model list … 0 s');
    });
  });
});
