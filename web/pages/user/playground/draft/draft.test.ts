import { describe, expect, it } from 'vitest';
import { bringBack, type Draft, draftOf, replaceContent } from './draft.ts';

let users = 0;
const own = { prompt: 'a fox that I think about', model: 'mine' };
const theirs = { prompt: 'a hen', model: 'theirs' };

/** What becomes of the draft of somebody new. */
function after(...steps: readonly ((draft: Draft) => Partial<Draft>)[]): Draft {
  const drafts = draftOf(`user ${++users}`);
  for (const step of steps) drafts.change((draft) => ({ ...draft, ...step(draft) }));
  return drafts.get();
}

const takeOver = (content: Partial<Draft>) => (draft: Draft) => replaceContent(draft, content);

describe('what a request from elsewhere takes the place of', () => {
  it('can be brought back as it was', () => {
    const before = after(() => own);
    const { replaced, ...draft } = after(() => own, takeOver(theirs));
    expect(draft).toMatchObject(theirs);
    expect(replaced?.before).toMatchObject(own);
    expect(after(() => own, takeOver(theirs), bringBack)).toEqual(before);
  });

  it.each<[string, Partial<Draft>]>([
    ['nothing was there but a model', { model: 'mine' }],
    ['it is the same', theirs],
  ])('is nothing to bring back where %s', (_why, before) => {
    expect(after(() => before, takeOver(theirs)).replaced).toBeNull();
  });

  it('is still the own one after several that nobody changed', () => {
    const draft = after(() => own, takeOver(theirs), takeOver({ prompt: 'an owl' }));
    expect(draft.prompt).toBe('an owl');
    expect(draft.replaced?.before).toMatchObject(own);
  });

  it('is what was made of the one before', () => {
    const changed = () => ({ prompt: 'a hen with a hat' });
    const draft = after(() => own, takeOver(theirs), changed, takeOver({ prompt: 'an owl' }));
    expect(draft.replaced?.before).toMatchObject({ ...theirs, ...changed() });
  });
});
