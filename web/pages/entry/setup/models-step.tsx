import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { parseAmount } from '../../../../shared/money.ts';
import type { UpstreamDetail } from '../../../api/admin-upstreams.ts';
import {
  type ModelOffer,
  offerModels,
  setupCatalogKey,
  setupCatalogQuery,
} from '../../../api/setup.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { setupText } from '../../../i18n/setup-text.ts';
import { shellText } from '../../../i18n/shell-text.ts';
import { useText } from '../../../i18n/text.ts';
import { uiText } from '../../../i18n/ui-text.ts';
import { ErrorState } from '../../../parts/error-state.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { classes } from '../../../ui/classes.ts';
import { Field } from '../../../ui/field.tsx';
import { MoneyInput } from '../../../ui/money-input.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Select } from '../../../ui/select.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { TextInput } from '../../../ui/text-input.tsx';
import { guessUpstreamModel } from './guess-upstream-model.ts';
import { StepForm } from './step-form.tsx';
import type { StepProps } from './step-props.ts';
import { StepWays } from './step-ways.tsx';
import { useKeptForm } from './use-kept-form.ts';

const sandboxPrice = '0.01';

/** Both ticks of a model: a price, and something that serves it. */
export function ModelsStep(step: StepProps) {
  const t = useText(setupText).models;
  const catalog = useQuery(setupCatalogQuery(step.upstream));
  if (catalog.isError) {
    const retry = () => void catalog.refetch();
    return <ErrorState error={catalog.error} title={t.notRead} onRetry={retry} />;
  }
  if (!catalog.data) return <Skeleton className="h-60" />;
  const { models, upstream } = catalog.data;
  if (!upstream || upstream.model_list.length === 0) {
    return (
      <div className="grid gap-5">
        <p className="text-text-2">{t.lead}</p>
        <Notice tone="warn">{t.noUpstream}</Notice>
        <StepWays step={step} />
      </div>
    );
  }
  // Another upstream has other models: the form begins anew.
  const rows = models.map(({ id, price }) => rowOf(id, price?.text ?? null, upstream));
  return <Offers key={upstream.id} upstream={upstream} initial={rows} step={step} />;
}

interface Row extends ModelOffer {
  isOffered: boolean;
}

function rowOf(model: string, price: string | null, upstream: UpstreamDetail): Row {
  const upstreamModel = guessUpstreamModel(model, upstream);
  const first = upstream.kind === 'sandbox' ? sandboxPrice : '';
  return { model, upstreamModel, price: price ?? first, isOffered: upstreamModel !== '' };
}

function Offers({
  upstream,
  initial,
  step,
}: {
  upstream: UpstreamDetail;
  initial: readonly Row[];
  step: StepProps;
}) {
  const words = useText(setupText).models;
  const places = useText(shellText).nav;
  const { severalImages } = useText(uiText);
  const { currency } = useFormats();
  const queryClient = useQueryClient();
  const [isChecked, setChecked] = useState(false);
  const form = useKeptForm({
    name: 'models',
    initial: { rows: initial, currency },
    check: ({ rows, currency: code }) => {
      setChecked(true);
      const problem = rows.some(lacksSomething) ? words.badPrice : null;
      const isNone = rows.every(({ isOffered }) => !isOffered);
      return {
        rows: isNone ? words.noModel : problem,
        currency: /^[A-Z]{3}$/.test(code) ? null : words.badCurrency,
      };
    },
    submit: async ({ rows, currency: code }) => {
      const offers = rows.filter(({ isOffered }) => isOffered);
      await offerModels(upstream.id, { offers, currency: code });
      await queryClient.invalidateQueries({ queryKey: setupCatalogKey });
      await step.onDone();
    },
  });
  const { rows } = form.values;
  const change = (model: string, changes: Partial<Row>) =>
    form.set(
      'rows',
      rows.map((row) => (row.model === model ? { ...row, ...changes } : row)),
    );
  return (
    <StepForm form={form} lead={words.lead} submit={words.submit} later={places.models} step={step}>
      <div className="grid gap-3">
        {rows.map((row) => (
          <OfferRow
            key={row.model}
            row={row}
            upstream={upstream}
            isChecked={isChecked}
            onChange={(changes) => change(row.model, changes)}
          />
        ))}
      </div>
      <p className="text-label text-text-2">{severalImages}</p>
      {form.errors.rows === words.noModel && <Notice tone="bad">{words.noModel}</Notice>}
      <Field
        label={words.currency}
        help={words.currencyHelp}
        error={form.errors.currency}
        className="max-w-60"
      >
        <TextInput
          {...form.input('currency')}
          onChange={(code) => form.set('currency', code.toUpperCase())}
          maxLength={3}
        />
      </Field>
    </StepForm>
  );
}

function lacksSomething(row: Row): boolean {
  return row.isOffered && (row.upstreamModel === '' || !hasPrice(row));
}

function hasPrice(row: Row): boolean {
  const price = parseAmount(row.price);
  return price !== null && price > 0;
}

function OfferRow({
  row,
  upstream,
  isChecked,
  onChange,
}: {
  row: Row;
  upstream: UpstreamDetail;
  /** Whether to say what it lacks. */
  isChecked: boolean;
  onChange: (changes: Partial<Row>) => void;
}) {
  const t = useText(setupText).models;
  const choices = upstream.model_list.map(({ upstream_model: value }) => ({ value, label: value }));
  return (
    <fieldset className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)] items-start gap-x-4 gap-y-2 rounded-control border border-line px-4 py-3 max-sm:grid-cols-1">
      <legend className="sr-only">{row.model}</legend>
      <Checkbox
        label={<span translate="no">{row.model}</span>}
        checked={row.isOffered}
        onChange={(isOffered) => onChange({ isOffered })}
        className={classes(
          'min-h-8 content-center items-center font-semibold',
          // Beside the fields, not their labels.
          row.isOffered && 'sm:mt-5.5',
        )}
      />
      {row.isOffered && (
        <>
          <Field
            label={t.servedBy}
            error={isChecked && row.upstreamModel === '' ? t.noUpstreamModel : null}
          >
            <Select
              value={row.upstreamModel}
              choices={choices}
              onChange={(upstreamModel) => onChange({ upstreamModel })}
            />
          </Field>
          <Field label={t.price} error={isChecked && !hasPrice(row) ? t.badPrice : null}>
            <MoneyInput value={row.price} onChange={(price) => onChange({ price })} />
          </Field>
        </>
      )}
    </fieldset>
  );
}
