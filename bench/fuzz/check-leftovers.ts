import { verifyBooks } from '../../server/flows/money/verify-books.ts';
import { filesBelow, findCanaries } from '../../test/support/history/canaries.ts';
import { openFuzzDatabase } from './installation.ts';

/** What a run leaves behind: books that do not agree, money set aside, contents on disk. */
export async function checkLeftovers(
  folder: string,
  dataDir: string,
  secrets: Readonly<Record<string, string>>,
): Promise<string[]> {
  const database = openFuzzDatabase(dataDir);
  try {
    const { violations, openHolds } = await verifyBooks(database);
    const findings = violations.map((violation) => `the books: ${JSON.stringify(violation)}`);
    if (openHolds > 0) findings.push(`the books: ${openHolds} holds are open`);
    const canaries = Object.entries(secrets).map(([name, text]) => ({
      name: `the ${name}`,
      bytes: Buffer.from(text),
    }));
    return [...findings, ...findCanaries(canaries, filesBelow(folder))];
  } finally {
    await database.close();
  }
}
