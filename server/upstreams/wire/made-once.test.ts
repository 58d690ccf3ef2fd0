import { describe, expect, test, vi } from 'vitest';
import type { BudgetAnswer } from '../../lib/bytes/byte-budget.ts';
import { pixelTurnsMax } from '../../lib/pictures/pixel-turns.ts';
import { madeOnce } from './made-once.ts';

const other = Buffer.from('in another form');

function counted() {
  const make = async () => {
    make.calls++;
    return other;
  };
  make.calls = 0;
  return make;
}

describe('another form of a picture', () => {
  test('is made once for all who ask, and anew for another picture or form', async () => {
    const make = counted();
    const [image, mask] = [{ bytes: Buffer.alloc(1) }, { bytes: Buffer.alloc(1) }];
    const all = [madeOnce(image, 'a', make), madeOnce(image, 'a', make)];
    expect(await Promise.all(all)).toEqual([other, other]);
    expect(make.calls).toBe(1);
    await madeOnce(image, 'b', make);
    await madeOnce(mask, 'a', make);
    expect(make.calls).toBe(3);
  });

  test('counts as memory of the request, and may come later where that is full', async () => {
    const make = counted();
    const answers: BudgetAnswer[] = ['full', 'never', 'taken'];
    const claims: number[] = [];
    const claim = (bytes: number) => {
      claims.push(bytes);
      return bytes === 0 ? 'taken' : (answers.shift() ?? 'taken');
    };
    const image = { bytes: Buffer.alloc(1), claim };
    await expect(madeOnce(image, 'a', make)).rejects.toMatchObject({ fault: 'busy' });
    await expect(madeOnce(image, 'a', make)).rejects.toMatchObject({ fault: 'unsupported' });
    expect(await madeOnce(image, 'a', make)).toBe(other);
    expect(await madeOnce(image, 'a', make)).toBe(other);
    expect(claims.filter((bytes) => bytes > 0)).toEqual([other.length, other.length, other.length]);
  });

  test('is made while threads are left for other work, in the order in which it is asked for', async () => {
    const atOnceMax = pixelTurnsMax.references;
    const finish: (() => void)[] = [];
    const make = () =>
      new Promise<Buffer>((resolve) => finish.push(() => resolve(Buffer.alloc(1))));
    const all = Array.from({ length: atOnceMax + 2 }, () =>
      madeOnce({ bytes: Buffer.alloc(1) }, 'a', make),
    );
    for (let done = 0; done < all.length; done++) {
      const begun = Math.min(done + atOnceMax, all.length);
      await vi.waitFor(() => expect(finish).toHaveLength(begun));
      finish[done]?.();
      await all[done];
    }
  });

  test('is not made of a picture whose request has ended while it waited', async () => {
    const make = counted();
    const image = { bytes: Buffer.alloc(1), claim: () => 'never' as const };
    await expect(madeOnce(image, 'a', make)).rejects.toMatchObject({ fault: 'unsupported' });
    expect(make.calls).toBe(0);
  });
});
