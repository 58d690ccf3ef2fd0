import type { Selectable } from 'kysely';
import { type Amount, amountFromMicros, amountOrNull, formatAmount } from '../../shared/money.ts';
import type { KeyBudgetRow } from '../db/schema.ts';
import { invalidRequest } from '../lib/service-error.ts';

/** How much an API key may spend and run at once. Null sets no limit of its own. */
export interface KeyLimits {
  /** Requests at once. */
  slotsMax: number | null;
  spendMax: Amount | null;
  /** Per calendar month in `zone`. */
  monthlySpendMax: Amount | null;
  /** IANA name of the time zone in which months begin. */
  zone: string;
}

/** What a key has used of its limits. */
export interface KeyBudget {
  limits: KeyLimits;
  inFlight: number;
  held: Amount;
  /** Charges less refunds, since the key was issued; null for more than an amount can be. */
  spent: Amount | null;
  /** The latest calendar month of a request, such as `2026-11`; null before the first. */
  month: string | null;
  /** Of `spent`, what was admitted in that month; null likewise. */
  spentInMonth: Amount | null;
}

export const keySlotsMost = 10_000;

export const noKeyLimits: KeyLimits = {
  slotsMax: null,
  spendMax: null,
  monthlySpendMax: null,
  zone: 'UTC',
};

export function checkKeyLimits({ slotsMax, spendMax, monthlySpendMax }: KeyLimits): void {
  if (slotsMax !== null && !(slotsMax >= 1 && slotsMax <= keySlotsMost)) {
    throw invalidRequest('slots', `A key's requests at once are 1 to ${keySlotsMost}.`);
  }
  for (const [name, limit] of [
    ['spend_limit', spendMax],
    ['monthly_limit', monthlySpendMax],
  ] as const) {
    if (limit !== null && limit <= 0) {
      throw invalidRequest(name, 'What a key may spend must be greater than zero.');
    }
  }
}

/** For the audit, the command line and the API. */
export function presentLimits({ slotsMax, spendMax, monthlySpendMax, zone }: KeyLimits) {
  return {
    slots_max: slotsMax,
    spend_limit: spendMax === null ? null : formatAmount(spendMax),
    monthly_limit: monthlySpendMax === null ? null : formatAmount(monthlySpendMax),
    zone,
  };
}

/** Which of its limits keeps a key from a request that needs `amount`; null when none does. */
export function limitReached(
  { limits, inFlight, held, spent, month, spentInMonth }: KeyBudget,
  { amount, monthNow }: { amount: Amount; monthNow: string },
): { kind: 'slots'; slotsMax: number } | { kind: 'spend'; limit: string } | null {
  const { slotsMax, spendMax, monthlySpendMax } = limits;
  if (slotsMax !== null && inFlight >= slotsMax) return { kind: 'slots', slotsMax };
  if (spendMax !== null && (spent === null || spent + held + amount > spendMax)) {
    return { kind: 'spend', limit: formatAmount(spendMax) };
  }
  const usedInMonth = month !== null && month >= monthNow ? spentInMonth : 0;
  const isAboveAll = usedInMonth === null;
  if (monthlySpendMax !== null && (isAboveAll || usedInMonth + held + amount > monthlySpendMax)) {
    return { kind: 'spend', limit: `${formatAmount(monthlySpendMax)} a month` };
  }
  return null;
}

/** Sums are texts, for they may be larger than any number that the drivers read. */
export type ReadKeyBudget = Omit<
  Selectable<KeyBudgetRow>,
  'user_id' | 'spent' | 'spent_in_month'
> & {
  spent: string;
  spent_in_month: string;
};

export function keyBudgetFromRow(row: ReadKeyBudget): KeyBudget {
  return {
    limits: {
      slotsMax: row.slots_max,
      spendMax: row.spend_max === null ? null : amountFromMicros(row.spend_max),
      monthlySpendMax:
        row.monthly_spend_max === null ? null : amountFromMicros(row.monthly_spend_max),
      zone: row.zone,
    },
    inFlight: row.in_flight,
    held: amountFromMicros(row.held),
    spent: amountOrNull(Number(row.spent)),
    month: row.month,
    spentInMonth: amountOrNull(Number(row.spent_in_month)),
  };
}
