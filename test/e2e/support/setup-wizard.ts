/** The setup as somebody walks through it. */
import type { Page } from '@playwright/test';
import { issueSetupLink } from '../../../server/flows/installation/set-up-installation.ts';
import { must } from '../../../server/lib/assert.ts';
import { secretLink } from '../../../shared/console/links.ts';
import type { ConsoleBench, VisitOptions } from './console.ts';
import { expect } from './expect.ts';

export const firstAdmin = { email: 'admin@example.com', password: 'four plain words here' };

/** The link that a start prints, as long as nobody has an account. */
export async function setupLink({ app }: ConsoleBench): Promise<string> {
  const secret = await issueSetupLink(app.admin);
  return secretLink('setup', must(secret, 'a link before there is an account'));
}

export class SetupWizard {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Opens the printed link and takes the first step. */
  static async begin(console: ConsoleBench, options: VisitOptions = {}): Promise<SetupWizard> {
    const { page } = await console.visit(await setupLink(console), options);
    const wizard = new SetupWizard(page);
    await wizard.createAccount();
    return wizard;
  }

  async createAccount(): Promise<void> {
    await this.page.getByLabel('E-mail').fill(firstAdmin.email);
    await this.page.getByLabel('Password', { exact: true }).fill(firstAdmin.password);
    await this.submitAccount();
    await this.expectStep('Upstream');
  }

  submitAccount(): Promise<void> {
    return this.page.getByRole('button', { name: 'Create the account' }).click();
  }

  async connectSandbox(): Promise<void> {
    await this.page.getByRole('button', { name: 'List its models' }).click();
    await this.expectStep('Models and prices');
  }

  async offerModels(): Promise<void> {
    await this.page.getByRole('button', { name: 'Offer these models' }).click();
    await this.expectStep('Your wallet');
  }

  async fillWallet(): Promise<void> {
    await this.page.getByRole('button', { name: 'Add $5.00' }).click();
    await this.expectStep('First image');
  }

  /** Leaves the step that is shown for later. */
  async skip(next: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Skip for now' }).click();
    await this.expectStep(next);
  }

  async expectStep(name: string): Promise<void> {
    const current = this.page.getByRole('list', { name: 'Steps' }).locator('[aria-current=step]');
    await expect(current).toHaveText(name);
  }
}
