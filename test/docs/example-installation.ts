/** An installation in which the examples of a document are run as they stand there. */
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { must } from '../../server/lib/assert.ts';
import { type CommandResult, commandLine } from '../support/processes/command-line.ts';
import { makeScratchFolder } from '../support/scratch.ts';
import { serveModelLists } from './model-list-service.ts';
import type { ShellExample } from './shell-examples.ts';

export interface ExampleInstallation {
  run(example: ShellExample): Promise<CommandResult>;
}

/** Every upstream that it adds leads to a service on this machine, which has every kind's list. */
export async function openExampleInstallation(): Promise<ExampleInstallation> {
  const folder = makeScratchFolder('examples');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = exampleFiles();
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const { origin } = await serveModelLists();
  const cli = commandLine({ url: null, dataDir: join(folder, 'data') });
  await cli.out('migrate');

  /** A word that is a file, or ends with `@` and one, with the folder where it lies. */
  const placed = (word: string): string => {
    const name = basename(word.slice(word.lastIndexOf('@') + 1));
    return Object.hasOwn(files, name) ? word.replace(name, join(folder, name)) : word;
  };
  return {
    run: ({ words, input }) =>
      cli.runWithInput(
        input === null ? '' : must(files[input], `the file ${input}`),
        ...words.map(placed),
        ...detour(words, origin),
      ),
  };
}

/** Of an option that is given twice, the second counts. */
function detour(words: readonly string[], origin: string): string[] {
  if (!words.join(' ').startsWith('upstreams add ') || words.includes('sandbox')) return [];
  const address = ['--base-url', origin];
  return words.includes('ai-sdk') ? [...address, '--set', `tokenUrl=${origin}/token`] : address;
}

/** The files that examples may name. */
function exampleFiles(): Readonly<Record<string, string>> {
  // 32 bytes, so that it will do for whatever kind of key.
  const key = '07'.repeat(32);
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const account = { client_email: 'a@example.com', private_key: privateKey, project_id: 'p' };
  return {
    'openai.key': key,
    'second.key': key,
    'azure.key': key,
    'gemini.key': key,
    'bfl.key': key,
    'old.key': key,
    'aws.key': 'AKIAIOSFODNN7EXAMPLE:wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY',
    'account.json': JSON.stringify(account),
    'engine.login': 'tintype:a long password',
    'proxy.url': 'http://tintype:password@proxy.example.com:3128',
    'paint.json': readFileSync(
      new URL('../../server/upstreams/comfyui/workflows/text-to-image.json', import.meta.url),
      'utf8',
    ),
  };
}
