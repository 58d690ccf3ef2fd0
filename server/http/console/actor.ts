import { type Amount, boundPassed, parseAmount } from '../../../shared/money.ts';
import type { Admin } from '../../flows/admin-change.ts';
import { invalidRequest } from '../../lib/service-error.ts';
import type { ConsoleDeps } from './console-deps.ts';
import type { Viewer } from './console-route.ts';

/** Whoever is signed in, as the one who changes something. */
export function adminOf(
  { userId }: Pick<Viewer, 'userId'>,
  { database, clock }: Pick<ConsoleDeps, 'database' | 'clock'>,
  reason: string | undefined,
): Admin {
  const given = reason?.trim() ?? '';
  return { database, clock, actor: userId, reason: given === '' ? null : given };
}

/** Reads the decimal of a form. */
export function amountOf(text: string, param: string): Amount {
  const amount = parseAmount(text);
  if (amount !== null) return amount;
  const bound = boundPassed(text);
  if (bound !== null) throw invalidRequest(param, `${param} is ${bound}.`);
  throw invalidRequest(param, `${param} is a decimal such as 0.04, with at most 6 decimals.`);
}
