/** The quickstart: its snippets run as they stand. */
import { execFile } from 'node:child_process';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { it, onTestFinished } from 'vitest';
import { projectRoot } from '../../web/build/build-console.ts';
import { makeScratchFolder } from '../support/scratch.ts';
import { describeConsole } from './support/console.ts';
import { expect } from './support/expect.ts';
import { rowsOf } from './support/ledger-page.ts';

const run = promisify(execFile);
const runMs = 60_000;

describeConsole((console) => {
  it.each([
    { language: 'curl', operation: 'Generate' },
    { language: 'curl', operation: 'Edit' },
    { language: 'curl', operation: 'Stream' },
    { language: 'Node', operation: 'Generate' },
    { language: 'Node', operation: 'Edit' },
    { language: 'Node', operation: 'Stream' },
    { language: 'fetch', operation: 'Generate' },
    { language: 'fetch', operation: 'Edit' },
    { language: 'fetch', operation: 'Stream' },
  ])('B34 $operation by $language runs unchanged', async ({ language, operation }) => {
    const user = await console.addUser();
    const { page } = await console.visit('/quickstart', { user });
    const code = await snippetOf(page, language, operation);
    expect(code).not.toMatch(/sk-\w/);
    const { folder, output } = await runSnippet(language, code, user.apiKey);
    if (language === 'curl' && operation === 'Stream') {
      expect(output).toContain('image_generation.completed');
    } else {
      const image = await sharp(join(folder, 'image.png')).metadata();
      expect(image).toMatchObject({ format: 'png' });
    }
    await page.goto('/usage');
    await expect(rowsOf(page)).toHaveCount(1);
    await expect(rowsOf(page)).toContainText('Succeeded');
    await expect(rowsOf(page)).toContainText(operation === 'Edit' ? 'Edit' : 'Generate');
  });

  it('Python is Python, and PowerShell names its own variable', async () => {
    const user = await console.addUser();
    const { page } = await console.visit('/quickstart', { user });
    for (const operation of ['Generate', 'Edit', 'Stream']) {
      const folder = scratch();
      const file = join(folder, 'snippet.py');
      writeFileSync(file, await snippetOf(page, 'Python', operation));
      await run('python3', ['-m', 'py_compile', file]);
    }
    const powershell = await snippetOf(page, 'PowerShell', 'Generate');
    expect(powershell).toContain('$env:IMAGE_API_KEY');
    await expect(page.getByRole('region', { name: 'Set the environment variable' })).toHaveText(
      "$env:IMAGE_API_KEY = 'your key'",
    );
  });

  it('keeps language, operation and model in the address, and tells prices', async () => {
    const user = await console.addUser();
    const path = '/quickstart?lang=python&op=stream&model=gen-image-2';
    const { page } = await console.visit(path, { user });
    const code = page.getByRole('region', { name: 'Code', exact: true });
    await expect(code).toContainText('model="gen-image-2"');
    await expect(code).toContainText('stream=True');
    await expect(rowsOf(page).filter({ hasText: 'gen-image-2.5-flare' })).toContainText('$0.04');
    await expect(
      page.getByText('A request for several images costs its price once for each.'),
    ).toBeVisible();
    await expect(rowsOf(page).filter({ hasText: 'insufficient_quota' })).toContainText('429');
  });
});

async function snippetOf(page: Page, language: string, operation: string): Promise<string> {
  await page.getByRole('radio', { name: operation, exact: true }).check({ force: true });
  await page.getByRole('radio', { name: language, exact: true }).check({ force: true });
  const region = page.getByRole('region', { name: 'Code', exact: true });
  return (await region.textContent()) ?? '';
}

/** In a folder with a picture, and the packages that a reader would install. */
async function runSnippet(language: string, code: string, key: string) {
  const folder = scratch();
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
  const square = { width: 64, height: 64, channels: 3, background: 'teal' } as const;
  await sharp({ create: square }).png().toFile(join(folder, 'reference-1.png'));
  const name = language === 'curl' ? 'snippet.sh' : 'snippet.mjs';
  writeFileSync(join(folder, name), code);
  const program = language === 'curl' ? 'bash' : process.execPath;
  const { stdout } = await run(program, [name], {
    cwd: folder,
    timeout: runMs,
    maxBuffer: 64 * 1024 * 1024,
    env: { PATH: process.env['PATH'], IMAGE_API_KEY: key },
  });
  return { folder, output: stdout };
}

function scratch(): string {
  const folder = makeScratchFolder('snippet');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
