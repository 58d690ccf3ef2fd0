/** What the playground is set to. It outlives the page: leaving and coming back loses nothing. */

import { createStore, type Store } from '../../../../lib/store.ts';
import type { MaskDocument } from '../../../../mask/mask-document.ts';
import type { DraftContent, Reference } from './draft-content.ts';
import { readKeptDraft } from './kept-draft.ts';
import { defaultWanted, type Wanted } from './wanted.ts';

export interface Draft extends DraftContent {
  /** What is on the mat. */
  shown: Shown;
  /** What a picture's request took the place of; null when there is nothing to bring back. */
  replaced: ReplacedDraft | null;
}

export interface ReplacedDraft {
  before: DraftContent;
  by: DraftContent;
}

/** `latest` follows the newest request. */
export type Shown = { kind: 'latest' } | { kind: 'job'; id: string } | { kind: 'run'; id: string };

let current: { userId: string; store: Store<Draft> } | null = null;

/** One user's draft is never another's. */
export function draftOf(userId: string): Store<Draft> {
  if (current?.userId !== userId) current = { userId, store: createStore(firstDraft(userId)) };
  return current.store;
}

function firstDraft(userId: string): Draft {
  return { ...emptyDraft, ...readKeptDraft(userId) };
}

const emptyDraft: Draft = {
  prompt: '',
  model: null,
  wanted: defaultWanted,
  references: [],
  shown: { kind: 'latest' },
  replaced: null,
};

/** Takes over a request as a whole. What somebody had made instead can be brought back. */
export function replaceContent(draft: Draft, content: Partial<DraftContent>): Partial<Draft> {
  const before = contentOf(draft);
  const by = { ...before, ...content };
  // What stands there as it was taken over is kept elsewhere; before it came what is nowhere else.
  const { replaced } = draft;
  if (replaced && isSame(replaced.by, before)) return { ...by, replaced: { ...replaced, by } };
  return isBlank(before) || isSame(by, before) ? by : { ...by, replaced: { before, by } };
}

export function bringBack({ replaced }: Draft): Partial<Draft> {
  return { ...replaced?.before, replaced: null };
}

function contentOf({ prompt, model, wanted, references }: DraftContent): DraftContent {
  return { prompt, model, wanted, references };
}

function isBlank({ prompt, wanted, references }: DraftContent): boolean {
  return prompt.trim() === '' && references.length === 0 && isSameWanted(wanted, defaultWanted);
}

function isSame(one: DraftContent, other: DraftContent): boolean {
  return (
    one.prompt === other.prompt &&
    one.model === other.model &&
    isSameWanted(one.wanted, other.wanted) &&
    one.references.length === other.references.length &&
    one.references.every((each, index) => each === other.references[index])
  );
}

function isSameWanted(one: Wanted, other: Wanted): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Masks apply to the first picture of a request, so that is where it goes. */
export function withMask(
  references: readonly Reference[],
  id: string,
  mask: MaskDocument | null,
): readonly Reference[] {
  const changed = references.map((each) =>
    each.id === id ? { ...each, mask } : mask ? { ...each, mask: null } : each,
  );
  return maskedFirst(changed);
}

/** Moves a picture by so many places; one with a mask stays in front. */
export function moved(
  references: readonly Reference[],
  id: string,
  to: number,
): readonly Reference[] {
  const picked = references.find((each) => each.id === id);
  if (!picked) return references;
  const others = references.filter((each) => each !== picked);
  return maskedFirst([
    ...others.slice(0, Math.max(0, to)),
    picked,
    ...others.slice(Math.max(0, to)),
  ]);
}

function maskedFirst(references: readonly Reference[]): readonly Reference[] {
  const masked = references.filter(({ mask }) => mask !== null);
  return [...masked, ...references.filter(({ mask }) => mask === null)];
}
