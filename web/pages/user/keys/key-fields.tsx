import { useQuery } from '@tanstack/react-query';
import { modelListQuery } from '../../../api/models.ts';
import type { Form } from '../../../forms/use-form.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { keysText } from '../../../i18n/keys-text.ts';
import { useText } from '../../../i18n/text.ts';
import { uiText } from '../../../i18n/ui-text.ts';
import { ErrorState } from '../../../parts/error-state.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Field } from '../../../ui/field.tsx';
import { MoneyInput } from '../../../ui/money-input.tsx';
import { NumberInput } from '../../../ui/number-input.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { Select } from '../../../ui/select.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { TextInput } from '../../../ui/text-input.tsx';
import { Textarea } from '../../../ui/textarea.tsx';
import { expiries, type KeyValues } from './key-values.ts';

export interface KeyFieldsProps {
  form: Form<KeyValues>;
  /** Of a key that has an end already. */
  expiresAt?: string | null;
  /** In which the months of its limit begin. */
  zone: string;
}

/** What a key is called, and what it may do. */
export function KeyFields(props: KeyFieldsProps) {
  const t = useText(keysText);
  const { form } = props;
  return (
    <>
      <Field label={t.name} help={t.nameHelp} error={form.errors.name}>
        <TextInput {...form.input('name')} autoComplete="off" maxLength={100} />
      </Field>
      <ExpiryField {...props} />
      <ModelsField form={form} />
      <LimitFields {...props} />
      <AddressesField form={form} />
    </>
  );
}

function ExpiryField({ form, expiresAt = null }: KeyFieldsProps) {
  const t = useText(keysText);
  const formats = useFormats();
  const kept =
    expiresAt === null
      ? []
      : [{ value: 'keep' as const, label: t.expiresAt(formats.time(expiresAt)) }];
  return (
    <Field label={t.expiry} error={form.errors.expires_at} className="max-w-72">
      <Select
        {...form.input('expires_at')}
        choices={[...kept, ...expiries.map((value) => ({ value, label: t.expiries[value] }))]}
      />
    </Field>
  );
}

function ModelsField({ form }: Pick<KeyFieldsProps, 'form'>) {
  const t = useText(keysText);
  const { data = [], isPending, error, refetch } = useQuery(modelListQuery);
  const { models, model_choice: choice } = form.values;
  // What was allowed before stays visible, enabled or not.
  const known = [...new Set([...data.map(({ id }) => id), ...models])];
  const toggle = (id: string, isAllowed: boolean) =>
    form.set('models', isAllowed ? [...models, id] : models.filter((each) => each !== id));
  return (
    <div className="grid gap-2">
      <Field label={t.modelsField} error={form.errors.models}>
        <Segmented
          value={choice}
          onChange={(chosen) => form.set('model_choice', chosen)}
          choices={(['all', 'selected'] as const).map((value) => ({
            value,
            label: t.modelChoices[value],
          }))}
        />
      </Field>
      {choice === 'selected' && (
        <div className="grid gap-1">
          {isPending && <Skeleton className="h-6" />}
          {error && (
            <ErrorState error={error} title={t.modelsFailed} onRetry={() => void refetch()} />
          )}
          {known.map((id) => (
            <Checkbox
              key={id}
              label={<span translate="no">{id}</span>}
              checked={models.includes(id)}
              onChange={(isAllowed) => toggle(id, isAllowed)}
            />
          ))}
        </div>
      )}
    </div>
  );
}

function LimitFields({ form, zone }: KeyFieldsProps) {
  const t = useText(keysText);
  const { optional } = useText(uiText);
  const hasMonthly = form.values.monthly_limit.trim() !== '';
  return (
    <fieldset className="grid gap-4 border-t border-line pt-4 sm:grid-cols-2">
      <legend className="sr-only">{t.limits}</legend>
      <Field label={t.totalLimit} note={optional} error={form.errors.spend_limit}>
        <MoneyInput {...form.input('spend_limit')} />
      </Field>
      <Field
        label={t.monthlyLimit}
        note={optional}
        error={form.errors.monthly_limit}
        {...(hasMonthly ? { help: t.monthsIn(zone) } : {})}
      >
        <MoneyInput {...form.input('monthly_limit')} />
      </Field>
      <Field label={t.slots} note={optional} error={form.errors.slots}>
        <NumberInput {...form.input('slots')} />
      </Field>
    </fieldset>
  );
}

/** Folded, unless something is in it: few need it. */
function AddressesField({ form }: Pick<KeyFieldsProps, 'form'>) {
  const t = useText(keysText);
  const isUsed = form.values.addresses !== '' || !!form.errors.addresses;
  return (
    <details className="border-t border-line pt-4" open={isUsed || undefined}>
      <summary className="min-h-6 rounded-small font-semibold text-label">{t.addresses}</summary>
      <Field
        label={t.addresses}
        isLabelHidden
        help={t.addressesHelp}
        error={form.errors.addresses}
        className="pt-2"
      >
        <Textarea {...form.input('addresses')} className="font-mono" spellCheck={false} />
      </Field>
    </details>
  );
}
