/** What somebody else changed while a form was open is not changed back by saving something else in it. */
import { it } from 'vitest';
import { requireUser } from '../../server/accounts/user-store.ts';
import { listSelections } from '../../server/catalog/selection-store.ts';
import { requireUpstream } from '../../server/catalog/upstream-store.ts';
import { changeSetting } from '../../server/flows/installation/change-setting.ts';
import { editKey } from '../../server/flows/keys/edit-key.ts';
import { editModel } from '../../server/flows/models/edit-model.ts';
import {
  type MappingPatch,
  mapUpstreamModel,
} from '../../server/flows/models/map-upstream-model.ts';
import { unselectUpstreamModel } from '../../server/flows/models/select-upstream-model.ts';
import { addUpstream } from '../../server/flows/upstreams/add-upstream.ts';
import { editUpstream } from '../../server/flows/upstreams/edit-upstream.ts';
import { syncUpstreamModels } from '../../server/flows/upstreams/sync-upstream-models.ts';
import { editUser } from '../../server/flows/users/edit-user.ts';
import type { TestApp, TestUser } from '../support/app.ts';
import { amount, testAccess } from '../support/console/test-admin.ts';
import { describeConsole } from './support/console.ts';
import { expect } from './support/expect.ts';
import { holdRequest } from './support/held-request.ts';

interface Case {
  form: string;
  path: (user: TestUser) => string;
  /** Another administrator, or the same in another window. */
  elsewhere: (app: TestApp, user: TestUser) => Promise<unknown>;
  typed: { label: string; values: readonly [string, string] };
  kept: { label: string; value: string };
}

const cases: readonly Case[] = [
  {
    form: 'a user',
    path: ({ id }) => `/admin/users/${id}`,
    elsewhere: ({ admin }, { id }) => editUser(admin, id, { slotsMax: 2 }),
    typed: { label: 'Name', values: ['Eve', 'Eve Adams'] },
    kept: { label: 'Requests at once', value: '2' },
  },
  {
    form: 'a section of the settings',
    path: () => '/admin/settings/limits',
    elsewhere: ({ admin }) => changeSetting(admin, { key: 'topUpMin', value: '7' }),
    typed: { label: 'Requests at once', values: ['9', '10'] },
    kept: { label: 'Smallest payment', value: '7.00' },
  },
  {
    form: 'a model',
    path: () => '/admin/models/gen-image-2',
    elsewhere: ({ admin }) => editModel(admin, { modelId: 'gen-image-2', patch: { position: 0 } }),
    typed: { label: 'Description', values: ['Old', 'Of old'] },
    kept: { label: 'Place in the list', value: '0' },
  },
  {
    form: 'how an upstream is reached',
    path: () => '/admin/upstreams/sandbox',
    elsewhere: ({ admin }) =>
      editUpstream(admin, testAccess(), { upstream: 'sandbox', patch: { weight: 5 } }),
    typed: { label: 'Priority', values: ['3', '4'] },
    kept: { label: 'Weight', value: '5' },
  },
  {
    form: 'the limits of an upstream',
    path: () => '/admin/upstreams/sandbox',
    elsewhere: ({ admin }) =>
      editUpstream(admin, testAccess(), {
        upstream: 'sandbox',
        patch: { limits: { queueMax: 6 } },
      }),
    typed: { label: 'Silence allowed', values: ['70000', '80000'] },
    kept: { label: 'Longest queue', value: '6' },
  },
  {
    form: 'a key',
    path: ({ apiKeyId }) => `/keys/${apiKeyId}`,
    elsewhere: ({ admin }, { id, apiKeyId }) =>
      editKey(admin, { keyId: apiKeyId, userId: id }, { limits: { spendMax: amount('5') } }),
    typed: { label: 'Name', values: ['Laptop', 'Laptop of Eve'] },
    kept: { label: 'Spend limit in total', value: '5.00' },
  },
];

describeConsole(
  (console) => {
    it.each(cases)('in the form of $form', async ({ path, elsewhere, typed, kept }) => {
      const user = await console.addUser({ role: 'admin' });
      const { page } = await console.visit(path(user), { user });
      const field = page.getByLabel(typed.label, { exact: true });
      const other = page.getByLabel(kept.label, { exact: true });
      await expect(other).not.toHaveValue(kept.value);
      await elsewhere(console.app, user);
      for (const value of typed.values) {
        await field.fill(value);
        const saving = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
        await field.press('Enter');
        await saving;
        // As the service has it now, beside what was typed.
        await expect(other).toHaveValue(kept.value);
        await expect(field).toHaveValue(value);
      }
      await page.reload();
      await expect(other).toHaveValue(kept.value);
      await expect(field).toHaveValue(typed.values[1]);
    });

    it('nor in the settings of an upstream', async () => {
      const { app } = console;
      const id = await addSecond(app);
      const { page } = await console.visit(`/admin/upstreams/${id}`, {
        user: await console.addUser({ role: 'admin' }),
      });
      await page.getByText('2 more settings').click();
      const delay = page.getByLabel('Delay in milliseconds');
      await expect(delay).toHaveValue('0');
      const patch = { settings: { directives: 'off' } };
      await editUpstream(app.admin, testAccess(), { upstream: id, patch });
      await delay.fill('5');
      await delay.press('Enter');
      await expect(page.getByText('Saved', { exact: true })).toBeVisible();
      const { settings } = await requireUpstream(app.database, id);
      expect(settings).toEqual({ directives: 'off', delayMs: 5 });
    });

    it('nor in how an upstream model serves a model', async () => {
      const { app } = console;
      const id = await addSecond(app);
      await syncUpstreamModels(app.admin, testAccess(), id);
      const wanted = { modelId: 'gen-image-2', upstream: id, upstreamModel: 'sandbox-quick' };
      const map = (patch: MappingPatch) => mapUpstreamModel(app.admin, wanted, patch);
      const storedOptions = async () => {
        const selections = await listSelections(app.database);
        return selections.find(({ upstreamId }) => upstreamId === id)?.options;
      };
      await map({ extra: { first: 1, second: 2 } });
      const { page } = await console.visit(`/admin/upstreams/${id}?tab=models`, {
        user: await console.addUser({ role: 'admin' }),
      });
      const open = () =>
        page.getByRole('button', { name: 'What does sandbox-quick serve?', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'What does sandbox-quick serve?' });
      const save = () => dialog.getByRole('button', { name: 'Save', exact: true }).click();
      await open();
      await map({ strictMask: true, extra: { third: 3 } });
      await dialog.getByLabel('Extra fields').fill('{"first": 1, "second": 5}');
      await save();
      await expect(dialog).toBeHidden();
      expect(await storedOptions()).toEqual({
        strictMask: true,
        extra: { first: 1, second: 5, third: 3 },
      });
      await open();
      await unselectUpstreamModel(app.admin, wanted);
      await dialog.getByLabel('Strict mask').uncheck();
      await save();
      await expect(dialog).toContainText('is not selected for gen-image-2');
      expect(await storedOptions()).toBeUndefined();
    });

    it('nor by what is typed while the form is sent, and saved after it', async () => {
      const them = await console.addUser();
      const { page } = await console.visit(`/admin/users/${them.id}`, {
        user: await console.addUser({ role: 'admin' }),
      });
      const name = page.getByLabel('Name', { exact: true });
      const slots = page.getByLabel('Requests at once', { exact: true });
      await expect(slots).toHaveValue('');
      const { admin, database } = console.app;
      await editUser(admin, them.id, { slotsMax: 2 });
      const held = await holdRequest(page, `**/api/console/admin/users/${them.id}`);
      await name.fill('Eve');
      await name.press('Enter');
      await held.wasMade();
      await name.fill('Eve Adams');
      await held.letGo();
      await expect(slots).toHaveValue('2');
      await expect(name).toHaveValue('Eve Adams');
      await name.press('Enter');
      await expect
        .poll(() => requireUser(database, them.id))
        .toMatchObject({ name: 'Eve Adams', slotsMax: 2 });
    });

    it('nor what is typed beside while it is saved how an upstream is reached', async () => {
      const { app } = console;
      const id = await addSecond(app);
      const { page } = await console.visit(`/admin/upstreams/${id}`, {
        user: await console.addUser({ role: 'admin' }),
      });
      const priority = page.getByLabel('Priority', { exact: true });
      const weight = page.getByLabel('Weight', { exact: true });
      const held = await holdRequest(page, `**/api/console/admin/upstreams/${id}`);
      await priority.fill('3');
      await priority.press('Enter');
      await held.wasMade();
      await weight.fill('7');
      await held.letGo();
      await expect(weight).toHaveValue('7');
      await expect(priority).toHaveValue('3');
      await weight.press('Enter');
      await expect
        .poll(() => requireUpstream(app.database, id))
        .toMatchObject({ priority: 3, weight: 7 });
    });

    it('gives nobody their rights back who is called otherwise', async () => {
      const them = await console.addUser({ role: 'admin' });
      const { page } = await console.visit(`/admin/users/${them.id}`, {
        user: await console.addUser({ role: 'admin' }),
      });
      const name = page.getByLabel('Name', { exact: true });
      await expect(name).toBeVisible();
      const { admin, database } = console.app;
      await editUser(admin, them.id, { role: 'user' });
      await name.fill('Eve');
      await name.press('Enter');
      await expect(page.getByText('Saved', { exact: true })).toBeVisible();
      expect(await requireUser(database, them.id)).toMatchObject({ name: 'Eve', role: 'user' });
    });
  },
  { expectedMessages: /status of 400/ },
);

let others = 0;

/** An upstream that no other test looks at: its ID. */
async function addSecond({ admin }: TestApp): Promise<string> {
  const wanted = { baseUrl: null, credential: null, settings: {}, priority: 5, weight: 1 };
  const name = `other${++others}`;
  return (await addUpstream(admin, testAccess(), { ...wanted, name, kind: 'sandbox' })).id;
}
