/** The playground as somebody sees it, and what it left in the books. */
import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import type { TestUser, TestUserOptions } from '../../support/app.ts';
import type { ConsoleBench, Visit, VisitOptions } from './console.ts';
import { expect } from './expect.ts';

export interface PlaygroundVisit extends Visit {
  user: TestUser;
  playground: PlaygroundPage;
}

export async function visitPlayground(
  console: ConsoleBench,
  { money = '4.96', ...rest }: TestUserOptions = {},
  options: Omit<VisitOptions, 'user'> & { user?: TestUser } = {},
): Promise<PlaygroundVisit> {
  const user = options.user ?? (await console.addUser({ money, ...rest }));
  const visit = await console.visit('/playground', { ...options, user });
  const playground = new PlaygroundPage(visit.page);
  await playground.model.waitFor();
  return { ...visit, user, playground };
}

export class PlaygroundPage {
  readonly page: Page;
  readonly prompt: Locator;
  readonly model: Locator;
  readonly generateButton: Locator;
  readonly cost: Locator;
  readonly stage: Locator;
  readonly mat: Locator;
  readonly preview: Locator;
  readonly result: Locator;
  readonly receipt: Locator;
  readonly elapsed: Locator;
  readonly announcements: Locator;
  readonly references: Locator;

  constructor(page: Page) {
    this.page = page;
    this.prompt = page.getByRole('textbox', { name: 'Prompt' });
    this.model = page.getByRole('combobox', { name: 'Model' });
    this.generateButton = page.getByRole('button', { name: 'Generate' });
    this.cost = page.getByTestId('cost');
    this.stage = page.getByRole('region', { name: 'Image' });
    this.mat = page.getByTestId('mat');
    this.preview = page.getByTestId('preview');
    this.result = page.getByTestId('result');
    this.receipt = page.getByTestId('receipt');
    this.elapsed = page.getByTestId('elapsed');
    this.announcements = page.getByTestId('announcements');
    this.references = page.getByRole('region', { name: 'References' }).getByRole('listitem');
  }

  async generate(prompt: string): Promise<void> {
    await this.prompt.fill(prompt);
    await this.generateButton.click();
  }

  /** One of the buttons in a row, such as "High" of "Quality". */
  option(group: string, name: string): Locator {
    return this.page
      .getByRole('radiogroup', { name: group })
      .getByRole('radio', { name, exact: true });
  }

  async choose(group: string, name: string): Promise<void> {
    await this.option(group, name).check({ force: true });
  }

  async chooseModel(id: string): Promise<void> {
    await this.model.click();
    const name = this.page.getByText(id, { exact: true });
    await this.page.getByRole('option').filter({ has: name }).click();
  }

  /** By the file picker. */
  async attach(...files: readonly AttachedFile[]): Promise<void> {
    await this.page.locator('input[type=file]').setInputFiles([...files]);
  }

  async expectPreview(): Promise<void> {
    await expect(this.preview.last()).toBeVisible({ timeout: resultWithinMs });
  }

  state(name: string): Locator {
    return this.stage.getByText(name, { exact: true });
  }

  async expectResult(): Promise<void> {
    await expect(this.result).toBeVisible({ timeout: resultWithinMs });
    await expect(this.receipt).toContainText('Charged');
  }

  /** The picture that is shown is in the gallery: only there can it be marked. */
  async expectKept(): Promise<void> {
    const star = this.page.getByRole('button', { name: 'Star', exact: true });
    await expect(star).toBeEnabled({ timeout: resultWithinMs });
  }
}

/** Long enough for a busy machine; nothing is measured by it. */
const resultWithinMs = 20_000;

export interface AttachedFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** A picture of one colour. */
export async function picture(
  name: string,
  background: string,
  { width = 120, height = 80 } = {},
): Promise<AttachedFile> {
  const image = sharp({ create: { width, height, channels: 3, background } });
  return { name, mimeType: 'image/png', buffer: await image.png().toBuffer() };
}

/** What the user's requests came to, the oldest first. */
export function requestsOf({ app }: ConsoleBench, { id }: Pick<TestUser, 'id'>) {
  return app.database.kysely
    .selectFrom('usage_records')
    .select(['trace_id', 'status', 'code', 'cost', 'images', 'operation'])
    .where('user_id', '=', id)
    .orderBy('trace_id')
    .execute();
}

export async function chargesOf({ app }: ConsoleBench, { id }: Pick<TestUser, 'id'>) {
  const rows = await app.database.kysely
    .selectFrom('wallet_transactions')
    .select('amount')
    .where('user_id', '=', id)
    .where('kind', '=', 'charge')
    .execute();
  return rows.map(({ amount }) => amount);
}
