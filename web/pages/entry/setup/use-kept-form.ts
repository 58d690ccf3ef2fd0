import { useEffect, useState } from 'react';
import { type Form, type FormOptions, useForm } from '../../../forms/use-form.ts';
import { keptInTab } from '../../../lib/kept-texts.ts';
import { keepableText, keptValuesIn } from './kept-values.ts';

interface KeptFormOptions<V> extends FormOptions<V> {
  /** What the tab keeps it under. */
  name: string;
  /** Fields that never leave the page. */
  secrets?: readonly (keyof V)[];
}

/** A form whose values are there again when the tab is loaded anew. */
export function useKeptForm<V extends object>({
  name,
  secrets = [],
  ...options
}: KeptFormOptions<V>): Form<V> {
  const key = `tintype.setup.${name}`;
  const [{ from, initial }] = useState(() => {
    const from = options.initial;
    return { from, initial: { ...from, ...keptValuesIn(keptInTab.read(key), from) } };
  });
  const form = useForm({ ...options, initial });
  const open = Object.entries(form.values).filter(([field]) => !isOneOf(secrets, field));
  const kept = keepableText<object>(from, Object.fromEntries(open));
  useEffect(() => keptInTab.write(key, kept), [key, kept]);
  return form;
}

function isOneOf(names: readonly PropertyKey[], name: string): boolean {
  return names.includes(name);
}
