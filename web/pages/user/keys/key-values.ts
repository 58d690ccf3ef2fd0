/** What the form of a key holds, and what the server is told of it. */
import type { KeyEditForm, KeyView, NewKeyForm } from '../../../../shared/console/keys.ts';
import { parseAmount } from '../../../../shared/money.ts';
import type { FormErrors } from '../../../forms/use-form.ts';
import type { keys } from '../../../i18n/en/keys.ts';

export const expiries = ['none', '30', '90', '365'] as const;
const dayMs = 86_400_000;

/** The names of the API, so that its errors find their fields. */
export interface KeyValues {
  name: string;
  /** `keep` leaves the date of a key that has one. */
  expires_at: (typeof expiries)[number] | 'keep';
  model_choice: 'all' | 'selected';
  models: readonly string[];
  spend_limit: string;
  monthly_limit: string;
  slots: string;
  /** One in each line. */
  addresses: string;
}

export function newKeyValues(name: string): KeyValues {
  return {
    name,
    expires_at: 'none',
    model_choice: 'all',
    models: [],
    spend_limit: '',
    monthly_limit: '',
    slots: '',
    addresses: '',
  };
}

export function keyValuesOf({ name, expires_at, models, addresses, limits }: KeyView): KeyValues {
  return {
    name,
    expires_at: expires_at === null ? 'none' : 'keep',
    model_choice: models === null ? 'all' : 'selected',
    models: models ?? [],
    spend_limit: limits.spend?.text ?? '',
    monthly_limit: limits.monthly_spend?.text ?? '',
    slots: limits.slots === null ? '' : String(limits.slots),
    addresses: addresses?.join('\n') ?? '',
  };
}

export function checkKeyValues(values: KeyValues, t: typeof keys): FormErrors<KeyValues> {
  const hasNoModel = values.model_choice === 'selected' && values.models.length === 0;
  const isCount = values.slots === '' || /^[1-9]\d{0,5}$/.test(values.slots.trim());
  return {
    name: values.name.trim() === '' ? t.missing : null,
    models: hasNoModel ? t.chooseModel : null,
    spend_limit: amountProblem(values.spend_limit, t),
    monthly_limit: amountProblem(values.monthly_limit, t),
    slots: isCount ? null : t.notACount,
  };
}

function amountProblem(text: string, t: typeof keys): string | null {
  if (text.trim() === '') return null;
  const amount = parseAmount(text);
  if (amount === null) return t.notAnAmount;
  return amount > 0 ? null : t.notPositive;
}

/** @param zone whose months are meant, where a limit is set by the month */
export function keyFormOf(values: KeyValues, zone: string): NewKeyForm {
  return { name: values.name.trim(), ...settingsOf(values, zone) };
}

/** What was changed alone: the rest may have become another meanwhile. */
export function keyEditOf(
  values: KeyValues,
  { changes, zone }: { changes: Partial<KeyValues>; zone: string },
): KeyEditForm {
  const names = new Set(Object.keys(changes));
  if (names.has('model_choice')) names.add('models');
  if (names.has('monthly_limit')) names.add('zone');
  const form = Object.entries(keyFormOf(values, zone));
  return Object.fromEntries(form.filter(([name]) => names.has(name)));
}

function settingsOf(values: KeyValues, zone: string) {
  const { expires_at: expiry, slots } = values;
  const addresses = values.addresses.split(/[\s,]+/).filter((line) => line !== '');
  return {
    models: values.model_choice === 'all' ? null : [...values.models],
    addresses: addresses.length === 0 ? null : addresses,
    spend_limit: orNull(values.spend_limit),
    monthly_limit: orNull(values.monthly_limit),
    slots: slots.trim() === '' ? null : Number(slots),
    zone,
    ...(expiry === 'keep' ? {} : { expires_at: expiresAt(expiry) }),
  };
}

function expiresAt(expiry: (typeof expiries)[number]): string | null {
  return expiry === 'none' ? null : new Date(Date.now() + Number(expiry) * dayMs).toISOString();
}

function orNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim();
}
