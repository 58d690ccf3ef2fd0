/** Whether the storm was one: books that agree on nothing prove nothing. */
import type { Books } from './books.ts';
import type { Offence, Rule } from './rule.ts';

/** Of the errands: the rest had no money, a sandbox that failed, or a client that left. */
const heldShareMin = 0.1;

export const forceRules: readonly Rule[] = [
  {
    name: 'the storm was one: pictures were delivered, and connections broke',
    check: (books) => ({ checked: books.stories.length, violations: weakness(books) }),
  },
];

function weakness({ lives, stories }: Books): Offence[] {
  const held = stories.filter(({ tries }) => tries.some((each) => each.held)).length;
  const broken = stories.flatMap(({ tries }) => tries).filter(({ end }) => end === 'broken').length;
  const killed = lives.flatMap(({ blows }) => blows).filter(({ kind }) => kind !== 'terminate');
  const offence = (detail: string) => [{ subject: 'the storm', detail }];
  return [
    ...(held < stories.length * heldShareMin
      ? offence(`${held} of ${stories.length} errands got pictures: give it more --seconds`)
      : []),
    ...(killed.length > 0 && broken === 0 ? offence('no connection broke: --requests more') : []),
  ];
}
