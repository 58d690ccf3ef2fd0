/** What clients were told: allowed answers only, whole pictures, everybody their own. */
import type { Books } from './books.ts';
import type { Try } from './client.ts';
import type { Errand } from './plan-errands.ts';
import type { Offence, Rule } from './rule.ts';

export const answerRules: readonly Rule[] = [
  {
    name: 'every answer is one of the documented ones, and none is a 500',
    check: (books) => {
      const answered = triesOf(books).filter(({ each }) => each.status !== null);
      const violations = answered.flatMap(({ errand, each }) => strangeAnswer(errand, each));
      return { checked: answered.length, violations };
    },
  },
  {
    name: 'every complete answer has whole pictures, as many as it bills',
    check: (books) => {
      const held = triesOf(books).filter(({ each }) => each.held);
      return { checked: held.length, violations: held.flatMap(wrongPictures) };
    },
  },
  {
    name: 'every client got its own picture, and a repeat the same one',
    check: (books) => {
      const held = triesOf(books).filter(({ each }) => each.held);
      return { checked: held.length, violations: mixedUp(held) };
    },
  },
];

interface OwnTry {
  errand: Errand;
  each: Try;
}

function triesOf({ stories }: Books): OwnTry[] {
  return stories.flatMap(({ errand, tries }) => tries.map((each) => ({ errand, each })));
}

const allowedErrors = new Set([
  '400 invalid_request_error',
  '429 rate_limit',
  '429 insufficient_quota',
  '502 upstream_error',
  '503 unavailable',
]);

const errorCodes = new Set([...allowedErrors].map((text) => text.slice(4)));

function strangeAnswer(errand: Errand, each: Try): Offence[] {
  const { end, errorCode, held, status, traceId } = each;
  const offence = (detail: string) => [
    { subject: traceId ?? 'an answer without a trace ID', detail },
  ];
  if (traceId === null) return offence(`status ${status}`);
  if (end !== 'answered' && errorCode === null) return [];
  if (status === 200) {
    if (held || (errorCode !== null && errorCodes.has(errorCode))) return [];
    return offence(`ended with neither a picture nor a known error (${errorCode})`);
  }
  if (!allowedErrors.has(`${status} ${errorCode}`)) return offence(`${status} ${errorCode}`);
  const mayBeInvalid =
    errand.prompt.includes('fail=refused') || ['keyed', 'twins'].includes(errand.policy);
  return status === 400 && !mayBeInvalid ? offence('a valid request was called invalid') : [];
}

function wrongPictures({ errand, each: { held, traceId } }: OwnTry): Offence[] {
  const pictures = held?.pictures ?? [];
  const whole = pictures.filter((digest) => digest !== null);
  const isRight =
    whole.length === pictures.length &&
    pictures.length === held?.billed &&
    pictures.length >= 1 &&
    pictures.length <= errand.n;
  if (isRight) return [];
  const detail = `${whole.length} whole of ${pictures.length}, ${held?.billed} billed, ${errand.n} asked`;
  return [{ subject: traceId ?? '', detail }];
}

/** Every errand's prompt has a seed of its own, so that no two draw the same picture. */
function mixedUp(held: readonly OwnTry[]): Offence[] {
  const owners = new Map<string, number>();
  const answers = new Map<string, string>();
  return held.flatMap(({ errand, each }) => {
    const traceId = each.traceId ?? '';
    const digests = each.held?.pictures.filter((digest) => digest !== null) ?? [];
    const foreign = digests.find(
      (digest) => (owners.get(digest) ?? errand.number) !== errand.number,
    );
    for (const digest of digests) owners.set(digest, errand.number);
    const answer = digests.join();
    const isOther = (answers.get(traceId) ?? answer) !== answer;
    answers.set(traceId, answer);
    if (foreign === undefined && !isOther) return [];
    const detail = isOther ? 'a repeat gave other pictures' : "somebody else's picture";
    return [{ subject: traceId, detail: `errand ${errand.number}: ${detail}` }];
  });
}
