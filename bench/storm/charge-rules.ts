/** Charges against what clients hold: nothing lost, nothing twice, nothing for nothing. */
import { amountFromMicros, formatAmount } from '../../shared/money.ts';
import type { Books, Entry, Story } from './books.ts';
import type { Try } from './client.ts';
import { stormTimes } from './installation.ts';
import type { Offence, Rule } from './rule.ts';

/**
 * An answer is noted as delivered a moment after the operating system has it: 20 ms by design. A
 * process struck in between leaves a charge that the sweep returns, although the client has its
 * picture. A machine that runs the servers, their restarts and all clients of a storm at once makes a
 * moment longer, so this is wide; how long each one was is reported.
 */
const deliveryWindowMs = 3_000;

export const chargeRules: readonly Rule[] = [
  {
    name: 'no charge is lost: a complete picture has exactly one charge of its cost',
    check: (books) => {
      const held = [...firstDeliveries(books)];
      const offences = held.flatMap(([traceId, first]) => lostCharge(books, traceId, first));
      return {
        checked: held.length,
        violations: offences.filter(({ isKnown }) => !isKnown),
        exceptions: offences.filter(({ isKnown }) => isKnown),
        exceptionName: 'refunded by a blow in the moment of delivery',
      };
    },
  },
  {
    name: 'nothing is charged twice: one key or one chain of retries, one charge and one picture',
    check: (books) => {
      const chains = books.stories.filter(({ errand }) => errand.policy !== 'once');
      const offences = chains.flatMap((story) => doubled(story, books));
      return {
        checked: chains.length,
        violations: offences.filter(({ isCrossed }) => !isCrossed),
        exceptions: offences.filter(({ isCrossed }) => isCrossed),
        exceptionName: 'without a key, asked another process while the answer was on its way',
      };
    },
  },
  {
    name: 'no charge without a picture that was delivered or a refund',
    check: (books) => {
      const charged = books.stories.flatMap((story) =>
        story.entries.filter(({ net }) => net !== 0).map((entry) => ({ story, entry })),
      );
      const violations = charged.flatMap(({ story, entry }) => chargedForNothing(story, entry));
      return { checked: charged.length, violations };
    },
  },
  {
    name: 'every charge has finished pictures in the journal of the upstream',
    check: ({ entries, upstream }) => {
      const charged = [...entries.values()].filter(({ charges }) => charges.length > 0);
      const violations = charged.flatMap(({ traceId, record, charges }) => {
        const finals = upstream.get(traceId)?.filter(({ event }) => event === 'final').length ?? 0;
        const pictures = -(charges[0]?.amount ?? 0) / record.unit_price;
        if (finals >= pictures) return [];
        return [{ subject: traceId, detail: `${pictures} charged, ${finals} in the journal` }];
      });
      return { checked: charged.length, violations };
    },
  },
];

/** Of each request that a client has a complete answer of, the try that had it first. */
function firstDeliveries({ stories }: Books): ReadonlyMap<string, Try> {
  const first = new Map<string, Try>();
  for (const each of stories.flatMap(({ tries }) => tries)) {
    if (!each.held) continue;
    const traceId = each.traceId ?? 'an answer without a trace ID';
    const before = first.get(traceId);
    if (!before || each.endedAt < before.endedAt) first.set(traceId, each);
  }
  return first;
}

function lostCharge(
  { entries }: Books,
  traceId: string,
  delivery: Try,
): (Offence & { isKnown: boolean })[] {
  const offence = (detail: string, isKnown = false) => [{ subject: traceId, detail, isKnown }];
  const entry = entries.get(traceId);
  if (!entry) return offence('a client holds its picture, and the ledger has never heard of it');
  const [charge, second] = entry.charges;
  if (!charge) return offence('a client holds its picture, and there is no charge');
  if (second) return offence(`${entry.charges.length} charges`);
  const pictures = delivery.held?.pictures.length ?? 0;
  const cost = pictures * entry.record.unit_price;
  if (charge.amount !== -cost) {
    return offence(`${pictures} pictures of ${entry.record.unit_price} charged ${charge.amount}`);
  }
  if (delivery.cost !== null && delivery.cost !== formatAmount(amountFromMicros(cost))) {
    return offence(`the client was told ${delivery.cost}, the charge is ${charge.amount}`);
  }
  if (entry.refunds.length === 0) return [];
  const gapMs = msUntilStruck(delivery);
  const isOfTheSweep = entry.refunds.every(({ reason }) => reason === 'not delivered');
  const isWindow = gapMs !== null && gapMs <= deliveryWindowMs;
  const isThawed = wasFrozenInDelivery(entry, delivery);
  const when = isThawed
    ? 'its process was frozen beyond its lease on the way'
    : gapMs === null
      ? `its process was not struck meanwhile: ${historyOf(entry, delivery)}`
      : `struck ${gapMs} ms after it`;
  return offence(
    `a client holds its picture, and the charge was refunded; ${when}`,
    isOfTheSweep && (isWindow || isThawed),
  );
}

/** What happened when, in ms from the end of a client's try on, so that what breaks a rule can be explained. */
function historyOf({ hold }: Entry, { endedAt, life }: Try): string {
  const events: readonly (readonly [string, number | null])[] = [
    ...life.blows.map(({ kind, at }) => [kind, at] as const),
    ['its process ended', life.endedAt],
    ['charged', hold?.ended_at ?? null],
    ['handed over', hold?.delivered_at ?? null],
    ['returned', hold?.refunded_at ?? null],
  ];
  return events
    .flatMap(([name, at]) => (at === null ? [] : [`${name} at ${at - endedAt} ms`]))
    .join(', ');
}

/**
 * Whether the process was stopped between the charge and the client's last byte, another process
 * returned the charge when the lease had run out, and the thawed one went on writing its answer.
 */
function wasFrozenInDelivery({ hold }: Entry, { endedAt, life, startedAt }: Try): boolean {
  const chargedAt = hold?.ended_at ?? null;
  const refundedAt = hold?.refunded_at ?? null;
  if (chargedAt === null || refundedAt === null) return false;
  return life.blows.some(
    ({ kind, at }) =>
      kind === 'freeze' && startedAt <= at && chargedAt <= at && at < refundedAt && at < endedAt,
  );
}

/** From the client's last byte to the blow: below 0 when the bytes were on their way at the time. */
function msUntilStruck({ life, endedAt }: Try): number | null {
  const fatal = life.blows.filter(({ kind }) => kind !== 'terminate').map(({ at }) => at - endedAt);
  // A client on a loaded machine sees its last byte a little late.
  const later = fatal.filter((gapMs) => gapMs >= -deliveryWindowMs);
  return later.length === 0 ? null : Math.min(...later);
}

function doubled(
  { errand, tries, entries }: Story,
  books: Books,
): (Offence & { isCrossed: boolean })[] {
  const charged = entries.filter(({ net }) => net !== 0);
  const unheld = charged.filter(({ traceId }) => !tries.some((each) => isOf(each, traceId)));
  const isCrossed =
    errand.policy === 'sdk' &&
    charged.length - unheld.length <= 1 &&
    unheld.every((entry) => crossedOnTheWire(entry, tries));
  const held = new Set(tries.filter((each) => each.held).map(({ traceId }) => traceId ?? ''));
  // A picture whose charge was returned in the delivery window is told of by its own rule.
  const paid = [...held].filter((traceId) => books.entries.get(traceId)?.net !== 0);
  const who = `errand ${errand.number} (${errand.policy})`;
  const offence = (traceIds: readonly string[], detail: string, isCrossed = false) => [
    { subject: traceIds.join(', '), detail: `${who} ${detail}`, isCrossed },
  ];
  const traceIds = charged.map(({ traceId }) => traceId);
  return [
    ...(charged.length > 1
      ? offence(
          traceIds,
          `was charged ${charged.length} times${leftHistory(unheld, tries)}`,
          isCrossed,
        )
      : []),
    ...(paid.length > 1 ? offence(paid, `got ${paid.length} pictures`) : []),
  ];
}

/** Of charges that nobody holds a picture for: what happened when, from the moment on in which their client left. */
function leftHistory(unheld: readonly Entry[], tries: readonly Try[]): string {
  return unheld
    .map((entry) => {
      const left = tries.find((each) => mayBeOf(each, entry.record.started_at));
      return left ? `; its client left, and ${historyOf(entry, left)}` : '; no try of it was left';
    })
    .join('');
}

function isOf({ held, traceId }: Try, wanted: string): boolean {
  return held !== null && traceId === wanted;
}

/**
 * Whether the client left, with nothing read, while the answer or a partial image was on its way,
 * and then asked another process. No process can know that; only an Idempotency-Key tells the
 * second one that it is the same request.
 */
function crossedOnTheWire({ hold, record }: Entry, tries: readonly Try[]): boolean {
  const index = tries.findIndex((each) => mayBeOf(each, record.started_at));
  const left = tries[index];
  const next = tries.slice(index + 1).find(({ end }) => end !== 'refused');
  if (!left || !hold?.delivered_at || next?.life === left.life) return false;
  // A partial image that was written counts as taken when the picture is made and nobody comes back.
  const madeAndLeftMs = stormTimes.deadlineMs + stormTimes.graceMs;
  const onTheWayMs = record.stream === 1 ? madeAndLeftMs : deliveryWindowMs;
  return hold.delivered_at - left.endedAt <= onTheWayMs;
}

/** Whether a client that left before it knew a trace ID may have asked for the request. */
function mayBeOf({ end, endedAt, startedAt, status }: Try, requestStartedAt: number): boolean {
  return (
    end === 'left' &&
    status === null &&
    requestStartedAt >= startedAt - clockSlackMs &&
    requestStartedAt <= endedAt + arrivalSlackMs
  );
}

function chargedForNothing({ errand, tries }: Story, entry: Entry): Offence[] {
  const { traceId, hold, record } = entry;
  const offence = (detail: string) => [
    { subject: traceId, detail: `errand ${errand.number} (${errand.policy}): ${detail}` },
  ];
  if (tries.some((each) => each.held && each.traceId === traceId)) return [];
  if (hold?.delivered_at === null) {
    return offence('charged, never handed over, and never refunded');
  }
  const itsTries = tries.filter((each) => each.traceId === traceId);
  // Took the head of the answer, or partial images, and went away: the picture was there to take.
  const leftIt = itsTries.some(({ end, status }) => end === 'left' && status === 200);
  if (leftIt) return [];
  if (itsTries.some(({ end }) => end === 'broken')) {
    return offence('charged as delivered, but the connection broke before the answer was complete');
  }
  const leftBefore = tries.some((each) => mayBeOf(each, record.started_at));
  return leftBefore ? [] : offence('charged as delivered, and no client has it or left it');
}

const clockSlackMs = 5;
/** A request that its client has left may lie in the socket until a busy process reads it. */
const arrivalSlackMs = 3_000;
