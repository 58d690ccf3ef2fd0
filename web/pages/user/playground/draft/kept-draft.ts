/** What was written is there again when its page is loaded anew, as by an upgrade or for want of memory. */
import { keptInTab } from '../../../../lib/kept-texts.ts';
import type { DraftContent } from './draft-content.ts';
import { defaultWanted, wantedIn } from './wanted.ts';

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
  return keptDraftIn(keptInTab.read(name), userId);
}

/** Another version of the console may have kept less, or something else: what makes no sense is left as it begins. */
export function keptDraftIn(text: string | null, userId: string): KeptDraft | null {
  const kept = objectIn(text);
  if (kept?.['userId'] !== userId || !isObject(kept['draft'])) return null;
  const { prompt, model, wanted } = kept['draft'];
  return {
    prompt: typeof prompt === 'string' ? prompt : '',
    model: typeof model === 'string' ? model : null,
    wanted: wantedIn(isObject(wanted) ? wanted : {}, defaultWanted),
  };
}

function objectIn(text: string | null): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
