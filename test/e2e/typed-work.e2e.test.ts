/** What was typed into a form is not lost by Back, which on a phone is a slip of the thumb. */
import { it, onTestFinished } from 'vitest';
import { addModel } from '../../server/flows/models/add-model.ts';
import { describeConsole } from './support/console.ts';
import { expect } from './support/expect.ts';
import { connect, startHttpUpstream } from './support/http-upstream.ts';
import { walkTo } from './support/walk.ts';

interface Place {
  path: string;
  /** The button that shows the form, unless the page does. */
  button?: string;
  /** Of the field in which something is typed. */
  label: string;
}

describeConsole((console) => {
  it.each<Place>([
    { path: '/admin/users/{user}?tab=wallet', label: 'Reason' },
    { path: '/admin/models', button: 'Add a model', label: 'Model ID' },
    { path: '/admin/models/gen-image-2', label: 'Description' },
    { path: '/admin/models/gen-image-2', label: 'Price per request' },
    { path: '/admin/codes', button: 'Make codes', label: 'Note' },
    { path: '/account?tab=tokens', button: 'Create token', label: 'Name' },
    { path: '/account', label: 'Name' },
    { path: '/keys/{key}', label: 'Name' },
  ])('asks before $label of $path is lost', async ({ path, button, label }) => {
    const user = await console.addUser({ role: 'admin' });
    const { page } = await console.visit('/usage', { user });
    await walkTo(page, path.replace('{user}', user.id).replace('{key}', user.apiKeyId));
    if (button) await page.getByRole('button', { name: button }).click();
    const field = page.getByLabel(label, { exact: true });
    await field.fill('12.5');
    await page.goBack();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await expect(question).toBeVisible();
    await question.getByRole('button', { name: 'Stay' }).click();
    await expect(question).toBeHidden();
    await expect(field).toHaveValue('12.5');
    await page.goBack();
    await question.getByRole('button', { name: 'Leave' }).click();
    await expect(field).toBeHidden();
    await expect(question).toBeHidden();
  });

  it('asks once for all forms of a page', async () => {
    const user = await console.addUser({ role: 'admin' });
    const { page } = await console.visit('/usage', { user });
    await walkTo(page, '/admin/models/gen-image-2');
    await page.getByLabel('Price per request').fill('12.5');
    await page.getByLabel('Description').fill('Fast');
    await page.goBack();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Leave' }).click();
    await expect(page.getByLabel('Description')).toBeHidden();
    await expect(question).toBeHidden();
  });

  it('asks for a secret that nobody has stored as well', async () => {
    const user = await console.addUser();
    const { page } = await console.visit('/usage', { user });
    await walkTo(page, `/keys/${user.apiKeyId}`);
    await page.getByLabel('Name', { exact: true }).fill('renamed');
    await page.getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    const secret = page.getByRole('checkbox', { name: 'stored' });
    await expect(secret).toBeVisible();
    await page.goBack();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await expect(question).toContainText('Your changes on this page are not saved.');
    await question.getByRole('button', { name: 'Leave' }).click();
    await expect(question).not.toContainText('Your changes on this page are not saved.');
    await question.getByRole('button', { name: 'Stay' }).click();
    await expect(question).toBeHidden();
    await expect(secret).toBeVisible();
  });

  it('asks nothing where the link to the content is followed, and Back from it', async () => {
    const user = await console.addUser();
    const { page } = await console.visit('/usage', { user });
    await walkTo(page, '/account');
    const field = page.getByLabel('Name', { exact: true });
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await field.fill('renamed');
    await page.getByRole('link', { name: 'Skip to content' }).press('Enter');
    await expect(page).toHaveURL('/account#content');
    await page.goBack();
    await expect(page).toHaveURL('/account');
    await expect(field).toHaveValue('renamed');
    await page.getByRole('link', { name: 'Wallet', exact: true }).click();
    await expect(question).toBeVisible();
  });

  it('asks nothing of a first price that was typed and taken out again', async () => {
    const model = { id: 'gen-image-9', description: '', extendedQualities: false };
    await addModel(console.app.admin, model);
    const user = await console.addUser({ role: 'admin' });
    const { page } = await console.visit('/admin/models/gen-image-9', { user });
    const price = page.getByLabel('Price per request');
    await price.fill('5');
    await price.fill('');
    await page.getByRole('link', { name: 'Wallet', exact: true }).click();
    await expect(page).toHaveURL('/wallet');
  });

  it('lets the ledger below half a change of a balance show other days', async () => {
    const user = await console.addUser({ role: 'admin' });
    const { page } = await console.visit(`/admin/users/${user.id}?tab=wallet`, { user });
    await page.getByLabel('Reason').fill('Goodwill');
    await page.getByLabel('Range').click();
    await page.getByRole('option', { name: '7 days' }).click();
    await expect(page).toHaveURL(/range=7d/);
    await expect(page.getByLabel('Reason')).toHaveValue('Goodwill');
    await page.getByRole('link', { name: 'Sessions', exact: true }).click();
    await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible();
  });

  it('asks nothing of what was typed of a key that is revoked', async () => {
    const user = await console.addUser();
    const { page } = await console.visit(`/keys/${user.apiKeyId}`, { user });
    const name = await page.getByLabel('Name', { exact: true }).inputValue();
    await page.getByLabel('Name', { exact: true }).fill('renamed');
    await page.getByRole('button', { name: 'Revoke' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revoke' });
    await dialog.getByRole('textbox').fill(name);
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await expect(page).toHaveURL('/keys');
    await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toHaveCount(0);
  });

  it('asks nothing of what was typed of an upstream that is deleted', async () => {
    const upstream = await startHttpUpstream('studio-one');
    onTestFinished(() => upstream.stop());
    const id = await connect(console.app, upstream, { name: 'passing' });
    const user = await console.addUser({ role: 'admin' });
    const { page } = await console.visit(`/admin/upstreams/${id}`, { user });
    await page.getByRole('button', { name: 'Disable', exact: true }).click();
    await page.getByRole('button', { name: 'Disable the upstream' }).click();
    await page.getByLabel('Name', { exact: true }).fill('renamed');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete passing?' });
    await dialog.getByRole('textbox').fill('passing');
    await dialog.getByRole('button', { name: 'Delete the upstream' }).click();
    await expect(page).toHaveURL('/admin/upstreams');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });
});
