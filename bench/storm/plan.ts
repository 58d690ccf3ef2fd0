/** What is going to happen in a storm, decided by its seed before it begins. */
import { type Blow, planBlows } from './plan-blows.ts';
import { type Errand, planErrands } from './plan-errands.ts';
import { type Random, randomFrom } from './random.ts';
import type { StormSize } from './storm-size.ts';

export interface Plan {
  users: readonly PlannedUser[];
  errands: readonly Errand[];
  blows: readonly Blow[];
  topUps: readonly PlannedTopUp[];
}

export interface PlannedUser {
  /** Decimal. */
  money: string;
  slotsMax: number;
}

/** Money that an admin adds in the middle of it, beside the service. */
export interface PlannedTopUp {
  atMs: number;
  /** Index of the user. */
  user: number;
  money: string;
}

const topUps = 4;

export function planStorm(size: StormSize): Plan {
  const random = randomFrom(size.seed);
  const users = planUsers(size.requests, random);
  return {
    users,
    errands: planErrands(size, users.length, random),
    blows: planBlows(size, random),
    topUps: Array.from({ length: topUps }, () => ({
      atMs: Math.round(random.between(0.2, 0.8) * size.seconds * 1_000),
      user: random.whole(0, users.length - 1),
      money: '0.1',
    })),
  };
}

/** Rich ones, poor ones whose money runs out on the way, and one with hardly a slot. */
function planUsers(requests: number, random: Random): PlannedUser[] {
  const rich = Array.from({ length: 3 }, () => ({ money: '100', slotsMax: 500 }));
  const poor = Array.from({ length: 4 }, () => ({
    // What about a third of the user's share of the errands costs.
    money: (Math.max(3, (requests / 8) * random.between(0.2, 0.5)) * 0.04).toFixed(2),
    slotsMax: 500,
  }));
  return [...rich, ...poor, { money: '100', slotsMax: 2 }];
}
