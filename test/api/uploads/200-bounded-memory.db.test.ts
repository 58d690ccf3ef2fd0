/** A service of its own with little memory for uploads takes more of them than fit, and lives. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { issueKey } from '../../../server/flows/keys/issue-key.ts';
import { openAccount } from '../../../server/flows/users/open-account.ts';
import { must } from '../../../server/lib/assert.ts';
import { parseAmount } from '../../../shared/money.ts';
import { formEdit } from '../../support/callers/ways-to-ask.ts';
import { testAdmin } from '../../support/console/test-admin.ts';
import { forEachEngine } from '../../support/databases/databases.ts';
import { pngOfLength } from '../../support/pictures.ts';
import { equip, startService } from '../../support/processes/service-process.ts';

const mebibyte = 1_048_576;
const uploads = 40;
const uploadBytes = 16 * mebibyte;
const budgetBytes = 128 * mebibyte;
/** The budget, twice over for what V8 and the kernel have not yet given back, and the service itself. */
const residentBytesMax = 2 * budgetBytes + 384 * mebibyte;

forEachEngine((engine) => {
  test('40 uploads of 16 MiB at once on a budget of 128 MiB', async () => {
    const database = await engine.open();
    await equip(database);
    const admin = testAdmin(database);
    const topUp = must(parseAmount('1000'), 'an amount');
    const account = { email: 'upload@example.com', name: 'upload', role: 'user' as const };
    const { id } = await openAccount(admin, { ...account, slotsMax: uploads, topUp });
    const { secret } = await issueKey(admin, {
      user: id,
      name: 'test',
      prefix: 'tin',
      models: null,
      expiresAt: null,
    });
    const service = await startService(engine.locationOf(database), {
      TINTYPE_MEMORY_BUDGET: '128MiB',
    });
    const picture = pngOfLength(uploadBytes);
    const send = async (delay: string) => {
      const prompt = `a fox [[actual=32x32]] [[delay=${delay}]]`;
      const { body } = formEdit.write({ image: picture, prompt });
      const response = await fetch(`${service.baseUrl}${formEdit.path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}` },
        body,
      });
      await response.arrayBuffer();
      return { status: response.status, retryAfter: response.headers.get('retry-after') };
    };
    // Longer than an upload waits for room.
    const answers = await Promise.all(Array.from({ length: uploads }, () => send('15s')));
    const done = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 429);
    expect(done.length + refused.length).toBe(uploads);
    // Seven fit at once.
    expect(done.length).toBeGreaterThanOrEqual(Math.floor((budgetBytes * 15) / 16 / uploadBytes));
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.every(({ retryAfter }) => retryAfter === '2')).toBe(true);
    expect(peakBytes(service.pid)).toBeLessThan(residentBytesMax);
    // Everything came back: as many fit again.
    const again = await Promise.all(Array.from({ length: 7 }, () => send('100ms')));
    expect(again.map(({ status }) => status)).toEqual(again.map(() => 200));
  }, 300_000);
});

/** The most memory that the process ever had. */
function peakBytes(pid: number): number {
  const [, kibibytes] =
    /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(must(kibibytes, 'the peak of its memory')) * 1024;
}
