import { useEffect, useState } from 'react';
import { type Form, type FormOptions, useForm } from '../../../forms/use-form.ts';
import { keptInTab } from '../../../lib/kept-texts.ts';

interface KeptFormOptions<V> extends FormOptions<V> {
  /** What the tab keeps it under. */
  name: string;
  /** Fields that never leave the page. */
  secrets?: readonly (keyof V)[];
}

interface Kept<V> {
  /** What the form began with: once the service has other values, those count. */
  from: string;
  values: Partial<V>;
}

/** A form whose values are there again when the tab is loaded anew. */
export function useKeptForm<V extends object>({
  name,
  secrets = [],
  ...options
}: KeptFormOptions<V>): Form<V> {
  const key = `tintype.setup.${name}`;
  const [{ from, initial }] = useState(() => {
    const from = JSON.stringify(options.initial);
    return { from, initial: { ...options.initial, ...readKept<V>(key, from) } };
  });
  const form = useForm({ ...options, initial });
  const open = Object.entries(form.values).filter(([field]) => !isOneOf(secrets, field));
  const kept = JSON.stringify({ from, values: Object.fromEntries(open) });
  useEffect(() => keptInTab.write(key, kept), [key, kept]);
  return form;
}

function readKept<V>(key: string, from: string): Partial<V> {
  const stored = keptInTab.read(key);
  if (stored === null) return {};
  // Written above, and by nobody else.
  const kept = JSON.parse(stored) as Kept<V>;
  return kept.from === from ? kept.values : {};
}

function isOneOf(names: readonly PropertyKey[], name: string): boolean {
  return names.includes(name);
}
