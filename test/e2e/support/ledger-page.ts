/** What the pages about usage and money show, as their tests read it. */
import type { Locator, Page } from '@playwright/test';
import { must } from '../../../server/lib/assert.ts';
import { type Amount, parseAmount } from '../../../shared/money.ts';
import type { TestApp, TestUser } from '../../support/app.ts';
import { smallPrompt } from '../../support/callers/ways-to-ask.ts';
import { expect } from './expect.ts';

/** A picture made over the API; returns its trace ID. */
export async function makeImage(
  app: TestApp,
  user: TestUser,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const body = { model: 'gen-image-2.5-flare', prompt: smallPrompt, quality: 'low', ...fields };
  const response = await app.post('/v1/images/generations', user, body);
  await response.arrayBuffer();
  return must(response.headers.get('x-request-id'), 'a trace ID');
}

/** The cell of a row below the heading of that name. */
export async function cell(page: Page, row: Locator, heading: string): Promise<Locator> {
  await row.first().waitFor();
  const headings = await page.getByRole('columnheader').allTextContents();
  const at = headings.indexOf(heading);
  expect(at, `a column ${heading}`).toBeGreaterThanOrEqual(0);
  // On phones it has no role of a cell.
  return row.locator('td').nth(at);
}

/** The rows of the list, without its heading. */
export function rowsOf(page: Page): Locator {
  return page.locator('tbody tr[data-row]');
}

/** What is written in a column of the list, row by row. */
export async function columnOf(page: Page, heading: string): Promise<readonly string[]> {
  await rowsOf(page).first().waitFor();
  const texts: string[] = [];
  for (const row of await rowsOf(page).all()) {
    texts.push((await (await cell(page, row, heading)).innerText()).trim());
  }
  return texts;
}

/** By which the rows of the list are told apart: trace IDs, IDs of transactions or keys. */
export async function keysOf(page: Page): Promise<readonly (string | null)[]> {
  await rowsOf(page).first().waitFor();
  return rowsOf(page).evaluateAll((rows) => rows.map((row) => row.getAttribute('data-row')));
}

/** Reads `−$1,234.5000` exactly. */
export function micros(text: string): Amount {
  const plain = text.replace('\u2212', '-').replace(/[$,+\s]/g, '');
  return must(parseAmount(plain), `the amount ${text}`);
}

/** What stands beside a term of a list of terms. */
export async function termOf(within: Page | Locator, term: string): Promise<string> {
  const name = within.locator('dt').filter({ hasText: new RegExp(`^${term}$`) });
  return (await name.locator('xpath=..').locator('dd').first().innerText()).trim();
}
