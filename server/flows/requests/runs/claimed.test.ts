import { expect, it } from 'vitest';
import { claimed } from './claimed.ts';

it.each([true, false])('a claim that is answered %s is answered so', async (stands) => {
  expect(await claimed(async () => stands)).toBe(stands);
});

it('a claim that the database does not answer asks for another try', async () => {
  const lost = Object.assign(new Error('Connection terminated'), { code: 'ECONNRESET' });
  await expect(claimed(() => Promise.reject(lost))).rejects.toMatchObject({
    code: 'unavailable',
    retryAfterSeconds: 5,
    cause: lost,
  });
});

it('a claim that meets a bug of ours is told as one', async () => {
  const bug = new Error('new row violates a constraint');
  await expect(claimed(() => Promise.reject(bug))).rejects.toBe(bug);
});
