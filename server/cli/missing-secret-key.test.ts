/** An installation whose key file was not brought along: what a command makes in its place opens nothing. */
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { type CommandLine, commandLine } from '../../test/support/processes/command-line.ts';
import { makeScratchFolder } from '../../test/support/scratch.ts';

let cli: CommandLine;
let dataDir: string;
let secret: string;

beforeEach(async () => {
  dataDir = makeScratchFolder('missing-key');
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  cli = commandLine({ url: null, dataDir }, { TINTYPE_SECRET_KEY: '' });
  secret = join(dataDir, 'secret.txt');
  writeFileSync(secret, 'http://user:pw@10.0.0.7:3128');
  const url = ['--base-url', 'https://127.0.0.1:1/v1'];
  const sealed = ['--credential-file', secret, '--proxy-file', secret];
  await cli.out('migrate');
  await cli.out('upstreams', 'add', 'a', '--kind', 'openai-images', ...url, ...sealed, '--no-sync');
  renameSync(join(dataDir, 'secret.key'), join(dataDir, 'kept.key'));
});

it.each([
  'keys add a second --credential-file',
  'keys replace a main --credential-file',
  'edit a --proxy-file',
])('upstreams %s is refused, and makes no key file', async (command) => {
  const { exitCode, err } = await cli.run('upstreams', ...command.split(' '), secret);
  expect({ exitCode, err }).toEqual({
    exitCode: 1,
    err: expect.stringContaining('was sealed with another secret key than the one at hand'),
  });
  expect(existsSync(join(dataDir, 'secret.key'))).toBe(false);
});

it('upstreams test opens nothing, and makes none either', async () => {
  const { exitCode, out } = await cli.run('upstreams', 'test', 'a');
  expect({ exitCode, out }).not.toMatchObject({ exitCode: 0 });
  expect(existsSync(join(dataDir, 'secret.key'))).toBe(false);
});

it('one that is to replace a lost one is made, and kept', async () => {
  const replace = ['upstreams', 'keys', 'replace', 'a', 'main', '--credential-file', secret];
  await cli.out('upstreams', 'edit', 'a', '--no-proxy');
  await cli.out(...replace, '--lost-secret-key');
  expect(existsSync(join(dataDir, 'secret.key'))).toBe(true);
  await cli.out('upstreams', 'edit', 'a', '--proxy-file', secret);
});
