import type { BudgetAnswer } from '../../lib/bytes/byte-budget.ts';
import { referenceTurns } from '../../lib/pictures/pixel-turns.ts';
import { type InputImage, UpstreamError } from '../upstream.ts';

/** A reference image or a mask. */
export type Given = Pick<InputImage, 'bytes' | 'claim'>;

/** What was made of them, by the name of its form, for as long as their request has them. */
const made = new WeakMap<Given, Map<string, Promise<Buffer>>>();

/**
 * Another form of a picture, for services that do not take it as it is. All pictures and attempts of a request have it
 * together, and it counts as memory of the request: as a PNG, a picture may be ten times as large as it came.
 */
export function madeOnce(given: Given, form: string, make: () => Promise<Buffer>): Promise<Buffer> {
  const forms = made.get(given) ?? new Map<string, Promise<Buffer>>();
  made.set(given, forms);
  const known = forms.get(form);
  if (known) return known;
  const making = counted(given, make).catch((error: unknown) => {
    // Where there was no room, there may be when it is asked for again.
    forms.delete(form);
    throw error;
  });
  forms.set(form, making);
  return making;
}

async function counted(given: Given, make: () => Promise<Buffer>): Promise<Buffer> {
  return await referenceTurns.take(async () => {
    // Nobody may want it any more.
    takeRoom(given, 0);
    const bytes = await make();
    takeRoom(given, bytes.length);
    return bytes;
  });
}

function takeRoom({ claim }: Given, bytes: number): void {
  const answer: BudgetAnswer = claim?.(bytes) ?? 'taken';
  switch (answer) {
    case 'taken':
      return;
    case 'full':
      throw new UpstreamError('busy', 'no memory now for a reference image in another form');
    case 'never':
      throw new UpstreamError('unsupported', 'no memory for a reference image in another form');
  }
}
