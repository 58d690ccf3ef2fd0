/** The first run: from the printed link to a picture. */
import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { it, onTestFinished } from 'vitest';
import { makeScratchFolder } from '../../support/scratch.ts';
import { openReadiness } from '../support/admin-readiness.ts';
import { violationsOf } from '../support/axe.ts';
import { type ConsoleBench, type ConsoleOptions, describeConsole } from '../support/console.ts';
import { expect } from '../support/expect.ts';
import { startGuardedUpstream } from '../support/guarded-upstream.ts';
import { sidewaysFaults } from '../support/page-geometry.ts';
import { cachedAnswers } from '../support/query-cache.ts';
import { firstAdmin, SetupWizard, setupLink } from '../support/setup-wizard.ts';

const run = promisify(execFile);

onFreshData((console) => {
  it('B1 until somebody has an account, every page leads to the setup', async () => {
    const { page } = await console.visit('/');
    for (const path of ['/', '/usage', '/admin/models', '/login', '/register']) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Set up');
      await expect(page).toHaveURL('/setup');
    }
    const headers = { authorization: 'Bearer sk-tin-anything' };
    const data = { model: 'gen-image-2', prompt: 'a boat' };
    const made = await page.request.post('/v1/images/generations', { headers, data });
    expect(made.status()).toBe(503);
    expect(await made.text()).toContain('not set up yet');
    const registration = { ...firstAdmin, name: 'Eve' };
    expect(await postAs(page, '/api/console/registration', registration)).toBe(403);
    expect(await isSetUp(page)).toBe(false);
  });
});

onFreshData(
  (console) => {
    it('B2 without the printed code nobody gets an account; with it one does, once', async () => {
      const link = await setupLink(console);
      const { page } = await console.visit('/setup');
      const wizard = new SetupWizard(page);
      const code = page.getByLabel('Setup code');
      await page.getByLabel('E-mail').fill(firstAdmin.email);
      await page.getByLabel('Password', { exact: true }).fill(firstAdmin.password);
      await wizard.submitAccount();
      await expect(code).toBeFocused();
      await expect(code).toHaveAccessibleDescription(/This is needed/);
      await code.fill('x'.repeat(43));
      await wizard.submitAccount();
      await expect(page.getByRole('alert')).toContainText(
        'This setup link does not work any more.',
      );
      expect(await isSetUp(page)).toBe(false);

      await code.fill(link.split('#')[1] ?? '');
      await wizard.submitAccount();
      await wizard.expectStep('Upstream');
      expect(await isSetUp(page)).toBe(true);

      const { page: second } = await console.visit(link);
      await expect(second).toHaveURL(/\/login/);
      await expect(second.getByText('has been set up already')).toBeVisible();
      const again = { ...firstAdmin, email: 'eve@example.com', secret: link.split('#')[1] };
      expect(await postAs(second, '/api/console/setup', again)).toBe(403);
    });
  },
  { expectedMessages: /403/ },
);

onFreshData((console) => {
  it('says at once that a link is too old, and takes another code', async () => {
    const { page } = await console.visit(`/setup#${'x'.repeat(43)}`);
    await expect(page.getByRole('alert')).toContainText('This setup link does not work any more.');
    await page.getByLabel('Setup code').fill((await setupLink(console)).split('#')[1] ?? '');
    await new SetupWizard(page).createAccount();
  });
});

onFreshData((console) => {
  it('says at once that a part of a link is missing, and the same of a code', async () => {
    const code = (await setupLink(console)).split('#')[1] ?? '';
    const { page } = await console.visit(`/setup#${code.slice(1)}`);
    await expect(page.getByText('A part of this link is missing.')).toBeVisible();
    const field = page.getByLabel('Setup code');
    await field.fill(code.slice(1));
    await new SetupWizard(page).submitAccount();
    await expect(field).toHaveAccessibleDescription(/A part of the code is missing/);
    await field.fill(code);
    await new SetupWizard(page).createAccount();
  });
});

onFreshData((console) => {
  it('B4 a reload within a step comes back to it, with what was chosen', async () => {
    const wizard = await SetupWizard.begin(console);
    const { page } = wizard;
    await wizard.connectSandbox();
    const flare = page.getByRole('group', { name: 'gen-image-2.5-flare' });
    const classic = page.getByRole('group', { name: 'gen-image-2', exact: true });
    await expect(
      page.getByText('A request for several images costs its price once for each.'),
    ).toBeVisible();
    await flare.getByLabel('Price per request').fill('0.035');
    await classic.getByRole('checkbox').uncheck();
    await page.getByLabel('Currency').fill('eur');
    await page.reload();
    await wizard.expectStep('Models and prices');
    await expect(flare.getByLabel('Price per request')).toHaveValue('0.035');
    await expect(flare.getByRole('combobox')).toHaveText('sandbox-quick');
    await expect(classic.getByRole('checkbox')).not.toBeChecked();
    await expect(page.getByLabel('Currency')).toHaveValue('EUR');

    await wizard.offerModels();
    await page.getByLabel('Opening balance').fill('7');
    await page.getByRole('button', { name: 'Back' }).click();
    await expect(flare.getByLabel('Price per request')).toHaveValue('0.035');
    await page.reload();
    await wizard.offerModels();
    await expect(page.getByLabel('Opening balance')).toHaveValue('7');
    await expect(page.getByText('Enough for 700 requests.')).toBeVisible();
  });
});

onFreshData(
  (console) => {
    it('B5 a wrong key of a real upstream: what it answered, in place, and the address still there', async () => {
      const upstream = await startGuardedUpstream();
      const wizard = await SetupWizard.begin(console);
      const { page } = wizard;
      await page.getByRole('radio', { name: /OpenAI-compatible/ }).check();
      const baseUrl = page.getByLabel('Base URL');
      const key = page.getByLabel('API key', { exact: true });
      // As somebody types who has the address wrong, too.
      await baseUrl.fill(upstream.baseUrl.replace('127.0.0.1', 'localhost'));
      await key.fill('sk-the-wrong-one');
      await page.getByRole('button', { name: 'List its models' }).click();
      const alert = page.getByRole('alert');
      await expect(alert).toContainText('The upstream failed (auth, status 401)');
      await expect(alert).toContainText(upstream.refusalCode);
      // What it wrote is not passed on: it may repeat the key, as this one does.
      await expect(alert).not.toContainText('sk-the-wrong-one');
      await wizard.expectStep('Upstream');
      await expect(baseUrl).toHaveValue(upstream.baseUrl.replace('127.0.0.1', 'localhost'));
      // A key is kept nowhere but in the page and the service.
      await page.reload();
      await expect(baseUrl).toHaveValue(upstream.baseUrl.replace('127.0.0.1', 'localhost'));
      await expect(key).toHaveValue('');

      await baseUrl.fill(upstream.baseUrl);
      await key.fill(upstream.key);
      await page.getByRole('button', { name: 'List its models' }).click();
      await wizard.expectStep('Models and prices');
      // The same upstream was mended; no broken one stays behind.
      const { upstreams } = await answerOf<{ upstreams: { base_url: string; name: string }[] }>(
        page,
        '/admin/upstreams',
      );
      expect(upstreams).toMatchObject([{ name: '127.0.0.1', base_url: upstream.baseUrl }]);

      const classic = page.getByRole('group', { name: 'gen-image-2', exact: true });
      await expect(classic.getByRole('checkbox')).toBeChecked();
      await expect(classic.getByRole('combobox')).toHaveText('gen-image-2');
      // A real upstream's price is nobody's to guess.
      await expect(classic.getByLabel('Price per request')).toHaveValue('');
      await page.getByRole('button', { name: 'Offer these models' }).click();
      await expect(classic).toContainText('Write a decimal such as 0.04.');
      await classic.getByLabel('Price per request').fill('0');
      await expect(classic).toContainText('Write a decimal such as 0.04.');
      await classic.getByLabel('Price per request').fill('0.04');
      // What a model lacks is said where it is given.
      const flare = page.getByRole('group', { name: 'gen-image-2.5-flare' });
      await flare.getByRole('checkbox').check();
      await page.getByRole('button', { name: 'Offer these models' }).click();
      const served = flare.getByRole('combobox');
      await expect(served).toHaveAccessibleDescription('Choose what serves it.');
      const price = flare.getByLabel('Price per request');
      await expect(price).toHaveAccessibleDescription(/Write a decimal such as 0\.04\.$/);
      await flare.getByRole('checkbox').uncheck();
      await wizard.offerModels();
    });
  },
  { expectedMessages: /502/ },
);

onFreshData((console) => {
  it('B6 the key works in the curl that is shown, and is nowhere once the dialog is closed', async () => {
    const wizard = await SetupWizard.begin(console);
    const { page } = wizard;
    await wizard.connectSandbox();
    await wizard.offerModels();
    await wizard.fillWallet();
    await page.getByRole('button', { name: 'Create the key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Store this key now' });
    const secret = await dialog.getByRole('status', { name: 'Secret' }).innerText();
    const curl = await dialog.getByRole('region', { name: 'Try it' }).innerText();
    expect(curl).toContain(`${console.app.baseUrl}/v1/images/generations`);
    expect(await formatOf(curl, secret)).toBe('png');

    await dialog.getByRole('checkbox', { name: 'I have stored it' }).check();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText('You have an API key.')).toBeVisible();
    const inner = secret.slice(7, -4);
    const kept = {
      document: await page.content(),
      storage: await page.evaluate(() => JSON.stringify([localStorage, sessionStorage])),
      answers: await cachedAnswers(page),
      address: page.url(),
    };
    expect(kept.answers).toContain('"key":true');
    for (const text of Object.values(kept)) expect(text).not.toContain(inner);
    const keys = await page.request.get('/api/console/keys');
    expect(await keys.text()).toContain(secret.slice(-4));
    expect(await keys.text()).not.toContain(inner);
  });
});

onFreshData(
  (console) => {
    it('B6 the curl names the address by which programs reach the service', async () => {
      const wizard = await SetupWizard.begin(console);
      const { page } = wizard;
      await wizard.connectSandbox();
      await wizard.offerModels();
      await wizard.skip('First image');
      await page.getByRole('button', { name: 'Create the key' }).click();
      const curl = page.getByRole('region', { name: 'Try it' });
      await expect(curl).toContainText('https://images.example.com/v1/images/generations');
    });
  },
  { config: { publicUrl: 'https://images.example.com' } },
);

onFreshData((console) => {
  it('B7 after all steps were skipped, all of them are still open', async () => {
    const wizard = await SetupWizard.begin(console);
    const { page } = wizard;
    await wizard.skip('Models and prices');
    await expect(page.getByText('No upstream is connected yet.')).toBeVisible();
    await wizard.skip('Your wallet');
    await wizard.skip('First image');
    const generate = page.getByRole('button', { name: 'Generate' });
    await expect(generate).toHaveAttribute('aria-disabled', 'true');
    await expect(generate).toHaveAccessibleDescription(/^No model can be used yet/);
    await page.goto('/admin');
    expect(await openReadiness(page)).toEqual([
      'upstream_connected',
      'model_list_chosen',
      'price_enabled',
      'model_available',
      'wallet_funded',
      'key_created',
      'first_picture',
      'https',
      'base_url',
    ]);
  });
});

onFreshData(
  (console) => {
    it('B7 after the wallet was skipped, what needs it is open', async () => {
      const wizard = await SetupWizard.begin(console);
      const { page } = wizard;
      await wizard.connectSandbox();
      await wizard.offerModels();
      await wizard.skip('First image');
      await page.getByRole('button', { name: 'Generate' }).click();
      await expect(page.getByRole('alert')).toContainText('No picture was made');
      await page.goto('/admin');
      expect(await openReadiness(page)).toEqual([
        'wallet_funded',
        'key_created',
        'first_picture',
        'https',
        'base_url',
      ]);
    });
  },
  { expectedMessages: /429/ },
);

onFreshData((console) => {
  it('every step is sound at 320 px in the dark, and nothing scrolls sideways', async () => {
    const wizard = await SetupWizard.begin(console, { size: 'narrow', theme: 'dark' });
    const { page } = wizard;
    const expectSound = async () => {
      expect(await violationsOf(page)).toEqual([]);
      expect(await sidewaysFaults(page)).toEqual([]);
    };
    await expectSound();
    await wizard.connectSandbox();
    await expectSound();
    await wizard.offerModels();
    await expectSound();
    await wizard.fillWallet();
    await page.getByRole('button', { name: 'Generate' }).click();
    await expect(page.getByText('Charged $0.01')).toBeVisible({ timeout: 30_000 });
    await expectSound();
    await page.getByRole('button', { name: 'Create the key' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectSound();
  });
});

/** A test that has an installation to itself, which nobody has set up. */
function onFreshData(body: (console: ConsoleBench) => void, options: ConsoleOptions = {}): void {
  describeConsole(body, { isBare: true, ...options });
}

/** The status of the answer to a request as the pages send it. */
async function postAs(page: Page, path: string, data: object): Promise<number> {
  const headers = { 'x-tintype-console': '1', 'sec-fetch-site': 'same-origin' };
  return (await page.request.post(path, { headers, data })).status();
}

async function isSetUp(page: Page): Promise<boolean> {
  const { installation } = await answerOf<{ installation: { is_set_up: boolean } }>(
    page,
    '/bootstrap',
  );
  return installation.is_set_up;
}

/** As the schema of that route has it. */
async function answerOf<T>(page: Page, path: string): Promise<T> {
  return (await (await page.request.get(`/api/console${path}`)).json()) as T;
}

/** Of the picture that a curl makes, run as it is shown with the key in the environment. */
async function formatOf(curl: string, key: string): Promise<string> {
  const folder = makeScratchFolder('first-key');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const env = { PATH: process.env['PATH'], IMAGE_API_KEY: key };
  await run('bash', ['-c', curl], { cwd: folder, env });
  return (await sharp(readFileSync(join(folder, 'image.png'))).metadata()).format;
}
