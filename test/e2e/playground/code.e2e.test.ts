/** The snippets of "Copy as code", run as they are. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { it, onTestFinished } from 'vitest';
import { projectRoot } from '../../../web/build/build-console.ts';
import { makeScratchFolder } from '../../support/scratch.ts';
import { describeConsole } from '../support/console.ts';
import { expect } from '../support/expect.ts';
import { picture, requestsOf, visitPlayground } from '../support/playground-page.ts';

const run = promisify(execFile);
const runMs = 60_000;
const { PATH, PYTHONPATH } = process.env;

interface Program {
  /** Of the file. */
  name: string;
  program: string;
}

const programs: { readonly [target: string]: Program; readonly script: Program } = {
  curl: { name: 'snippet.sh', program: 'bash' },
  Python: { name: 'snippet.py', program: 'python3' },
  script: { name: 'snippet.mjs', program: process.execPath },
};

/** The interpreter, where it has the package that the snippet needs. */
const hasPython = await run('python3', ['-c', 'import openai']).then(
  () => true,
  () => false,
);
const needsPython = 'needs python3 with the openai package';

describeConsole((console) => {
  it.for([
    { target: 'curl', isStream: false },
    { target: 'Node', isStream: false },
    { target: 'Node', isStream: true },
    { target: 'fetch', isStream: false },
    { target: 'fetch', isStream: true },
    { target: 'Python', isStream: false },
    { target: 'Python', isStream: true },
  ])(
    'B34 $target (stream: $isStream) makes the same request as the playground',
    async (wish, { skip }) => {
      skip(wish.target === 'Python' && !hasPython, needsPython);
      const { playground, page, user } = await visitPlayground(console, { money: '100' });
      await playground.choose('Size', '3:2');
      await playground.choose('Format', 'WebP');
      await playground.generate(`It's a "fox" for $HOME, \`really\` 狐`);
      await playground.expectResult();
      const code = await snippetOf(page, wish);
      const { folder, output } = await runSnippet(wish.target, code, { key: user.apiKey });
      const image = await sharp(join(folder, 'image.webp')).metadata();
      expect(image).toMatchObject({ format: 'webp', width: 1536, height: 1024 });
      if (wish.isStream) expect(output).toContain('preview');
      expect((await requestsOf(console, user)).map(({ status }) => status)).toEqual([
        'succeeded',
        'succeeded',
      ]);
    },
  );

  it.for(['curl', 'Node', 'fetch', 'Python'])(
    'B34 %s sends the files of an edit',
    async (target, { skip }) => {
      skip(target === 'Python' && !hasPython, needsPython);
      const { playground, page, user } = await visitPlayground(console, { money: '100' });
      await playground.attach(await picture('one.png', 'teal'), await picture('two.png', 'gold'));
      await expect(page.getByRole('img', { name: 'Image 2: two.png' })).toBeVisible();
      await playground.generate('both in one');
      await playground.expectResult();
      const code = await snippetOf(page, { target, isStream: false });
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download these files' }).click();
      const zip = readFileSync(await (await download).path());
      const { folder } = await runSnippet(target, code, { key: user.apiKey, zip });
      expect(await sharp(join(folder, 'image.png')).metadata()).toMatchObject({ format: 'png' });
      expect((await requestsOf(console, user)).map(({ operation }) => operation)).toEqual([
        'edit',
        'edit',
      ]);
    },
  );

  it('B34 PowerShell and Python name the same request', async () => {
    const { playground, page } = await visitPlayground(console);
    await playground.generate(`It's a "fox"`);
    await playground.expectResult();
    const python = await snippetOf(page, { target: 'Python', isStream: false });
    expect(python).toContain('model="gen-image-2.5-sunburst"');
    expect(python).toContain(String.raw`prompt="It's a \"fox\""`);
    // Python itself says whether that is Python.
    const folder = scratch();
    writeFileSync(join(folder, 'snippet.py'), python);
    await run('python3', ['-m', 'py_compile', join(folder, 'snippet.py')]);
    await page.keyboard.press('Escape');
    const powershell = await snippetOf(page, { target: 'PowerShell', isStream: true });
    expect(powershell).toContain(String.raw`"prompt":"It''s a \"fox\""`);
    for (const code of [python, powershell]) {
      expect(code).toContain(`${console.app.baseUrl}/v1`);
      expect(code).toContain('IMAGE_API_KEY');
      expect(code).not.toMatch(/sk-\w/);
    }
  });
});

async function snippetOf(
  page: Page,
  { target, isStream }: { target: string; isStream: boolean },
): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy as code' }).click();
  const dialog = page.getByRole('dialog', { name: 'Copy as code' });
  await dialog.getByRole('radio', { name: target, exact: true }).check({ force: true });
  if (isStream) await dialog.getByRole('switch', { name: 'Stream' }).check();
  await dialog.getByRole('button', { name: 'Copy' }).click();
  await expect(dialog.getByRole('button', { name: 'Copied' })).toBeVisible();
  return page.evaluate(() => navigator.clipboard.readText());
}

/** In a folder with the files of the request, and the packages that a reader would install. */
async function runSnippet(
  target: string,
  code: string,
  { key, zip }: { key: string; zip?: Buffer },
): Promise<{ folder: string; output: string }> {
  const folder = scratch();
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
  if (zip) unpack(zip, folder);
  const { name, program } = programs[target] ?? programs.script;
  writeFileSync(join(folder, name), code);
  const { stdout } = await run(program, [name], {
    cwd: folder,
    timeout: runMs,
    env: { PATH, ...(PYTHONPATH === undefined ? {} : { PYTHONPATH }), IMAGE_API_KEY: key },
  });
  return { folder, output: stdout };
}

function scratch(): string {
  const folder = makeScratchFolder('snippet');
  mkdirSync(folder, { recursive: true });
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A ZIP whose files are stored as they are, with their sizes behind them. */
function unpack(zip: Buffer, folder: string): void {
  const directory = zip.readUInt32LE(zip.length - 22 + 16);
  for (let at = directory; zip.readUInt32LE(at) === 0x02014b50; ) {
    const [size, nameLength] = [zip.readUInt32LE(at + 24), zip.readUInt16LE(at + 28)];
    const rest = zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
    const start = zip.readUInt32LE(at + 42);
    const name = zip.subarray(at + 46, at + 46 + nameLength).toString('utf8');
    const data = start + 30 + zip.readUInt16LE(start + 26) + zip.readUInt16LE(start + 28);
    writeFileSync(join(folder, name), zip.subarray(data, data + size));
    at += 46 + nameLength + rest;
  }
}
