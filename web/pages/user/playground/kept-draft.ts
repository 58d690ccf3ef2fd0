/** What was written is there again when its page is loaded anew, as by an upgrade or for want of memory. */
import { keptInTab } from '../../../lib/kept-texts.ts';
import type { DraftContent } from './draft.ts';

/** Pictures are too large for it. */
export type KeptDraft = Omit<DraftContent, 'references'>;

/** One for all users: what somebody wrote goes as soon as somebody else writes. */
const name = 'tintype.playground';

export function keepDraft(userId: string, { prompt, model, wanted }: KeptDraft): void {
  keptInTab.write(name, JSON.stringify({ userId, draft: { prompt, model, wanted } }));
}

export function forgetKeptDraft(): void {
  keptInTab.write(name, null);
}

export function readKeptDraft(userId: string): KeptDraft | null {
  const stored = keptInTab.read(name);
  if (stored === null) return null;
  // Written above, and by nobody else.
  const kept = JSON.parse(stored) as { userId: string; draft: KeptDraft };
  return kept.userId === userId ? kept.draft : null;
}
