/** A small controlled form: values, errors beside their fields, one submission at a time. */
import { type FormEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type ApiError, toApiError } from '../api/api-error.ts';
import { useSaid } from '../parts/use-error-words.ts';

export type FormErrors<V> = { readonly [K in keyof V]?: string | null | undefined };

export interface FormOptions<V> {
  initial: V;
  /** What is wrong before anything is sent; null or a missing entry is fine. */
  check?: (values: V) => FormErrors<V>;
  /**
   * Sends the values. A form that stays open after it answers with the values that are stored now.
   *
   * `changes` are the values that differ from `base`, with which the form began. A form that edits something sends
   * only those: somebody else may have changed the rest meanwhile. `base` itself is for forms that also tell what was
   * changed within a single value.
   */
  submit: (values: V, changes: Partial<V>, base: V) => Promise<V | void>;
}

export interface Form<V> {
  values: V;
  errors: FormErrors<V>;
  /** What the service said that belongs to no field. */
  failure: ApiError | null;
  isBusy: boolean;
  /** Whether something was changed and not saved. */
  isDirty: boolean;
  set: <K extends keyof V>(name: K, value: V[K]) => void;
  /** For a control: `<TextInput {...form.input('name')} />`. */
  input: <K extends keyof V & string>(name: K) => FormInput<V[K]>;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  /** Begins again with these values: after they were saved, or to drop what was typed. */
  reset: (values: V) => void;
}

interface FormInput<T> {
  name: string;
  value: T;
  onChange: (value: T) => void;
}

export function useForm<V extends object>({ initial, check, submit }: FormOptions<V>): Form<V> {
  const [base, setBase] = useState(initial);
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<FormErrors<V>>({});
  const [failure, setFailure] = useState<ApiError | null>(null);
  const [isBusy, setBusy] = useState(false);
  // Two activations may come before the next rendering.
  const isSending = useRef(false);
  const said = useSaid();

  const changes = changesOf(values, base);

  const set: Form<V>['set'] = (name, value) => {
    setValues((before) => ({ ...before, [name]: value }));
    setErrors((before) => ({ ...before, [name]: null }));
  };

  const showErrors = (form: HTMLFormElement, found: FormErrors<V>) => {
    // Drawn before the focus can go there.
    flushSync(() => setErrors(found));
    form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  };

  const send = async (form: HTMLFormElement) => {
    isSending.current = true;
    setBusy(true);
    setFailure(null);
    try {
      const stored = (await submit(values, changes, base)) ?? values;
      setBase(stored);
      // What was typed while it was sent stays.
      setValues((now) => ({ ...stored, ...changesOf(now, values) }));
    } catch (thrown) {
      const error = toApiError(thrown);
      const field = fieldOf(error, values);
      if (field === null) setFailure(error);
      // The name is one of the form's: see `fieldOf`.
      else showErrors(form, { [field]: said(error.message) } as FormErrors<V>);
    } finally {
      isSending.current = false;
      setBusy(false);
    }
  };

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isSending.current) return;
    const form = event.currentTarget;
    const found = check?.(values) ?? {};
    showErrors(form, found);
    if (!Object.values(found).some(Boolean)) void send(form);
  };

  return {
    values,
    errors,
    failure,
    isBusy,
    isDirty: Object.keys(changes).length > 0,
    set,
    input: (name) => ({ name, value: values[name], onChange: (value) => set(name, value) }),
    onSubmit,
    reset: (next) => {
      setBase(next);
      setValues(next);
      setErrors({});
      setFailure(null);
    },
  };
}

function changesOf<V extends object>(values: V, base: V): Partial<V> {
  const before = new Map(Object.entries(base));
  const changed = Object.entries(values).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before.get(name)),
  );
  // Entries of the values themselves.
  return Object.fromEntries(changed) as Partial<V>;
}

/** The form's own name of the field that the service found fault with: `limits.queue_max` may be either's. */
function fieldOf({ param }: ApiError, values: object): string | null {
  const names = param?.split(/[.[]/) ?? [];
  return names.find((name) => Object.hasOwn(values, name)) ?? null;
}
