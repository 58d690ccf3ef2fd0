import { Select } from '@base-ui/react/select';
import { Check, ChevronsUpDown } from 'lucide-react';
import { memo, useMemo, useState } from 'react';
import type { PlaygroundModel } from '../../../../../shared/console/models.ts';
import type { ImageQuality } from '../../../../../shared/image-options.ts';
import { useUser } from '../../../../api/bootstrap.ts';
import { useFormats, type WireAmount } from '../../../../i18n/formats.tsx';
import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { ErrorState } from '../../../../parts/error-state.tsx';
import { paths } from '../../../../paths.ts';
import { classes } from '../../../../ui/classes.ts';
import { Field, inputClass, useFieldAttributes, useFieldLabelId } from '../../../../ui/field.tsx';
import { icon } from '../../../../ui/icon.ts';
import { Link } from '../../../../ui/link.tsx';
import { menuPopupClass } from '../../../../ui/menu.tsx';
import { Notice } from '../../../../ui/notice.tsx';
import { Skeleton } from '../../../../ui/skeleton.tsx';
import { useChangeDraft } from '../draft/use-change-draft.ts';
import { usePlayground } from '../playground-context.tsx';
import { usePrices } from '../use-prices.ts';
import { UnavailableNotice } from './unavailable-notice.tsx';

/** Each model on two lines, because a price that is cut off is worse than none. */
export function ModelPicker() {
  const t = useText(playgroundText);
  const { models, modelsError, reloadModels, model } = usePlayground();
  const { rights } = useUser();
  if (modelsError) {
    return <ErrorState error={modelsError} title={t.modelsFailed} onRetry={reloadModels} />;
  }
  if (models === null) return <Skeleton className="h-[74px]" />;
  if (models.length === 0) {
    return (
      <Notice
        tone="warn"
        title={t.noModels}
        {...(rights.includes('admin.models')
          ? { actions: <Link to={paths.admin()}>{t.noModelsRepair}</Link> }
          : {})}
      >
        <p>{t.noModelsText}</p>
      </Notice>
    );
  }
  return (
    <div className="grid gap-2" data-field="model">
      <Field label={t.model}>
        <Picker models={models} />
      </Field>
      {model && !model.is_available && (
        <UnavailableNotice modelId={model.id} missing={model.missing} />
      )}
    </div>
  );
}

const gap = 4;

function Picker({ models }: { models: readonly PlaygroundModel[] }) {
  const { model, fitted } = usePlayground();
  const { change } = useChangeDraft();
  const price = usePrices();
  const { quality } = fitted.values;
  const choices = useChoices(models, model);
  const labelId = useFieldLabelId();
  const { id, ...attributes } = useFieldAttributes();
  return (
    <Select.Root
      value={model?.id ?? null}
      {...(id ? { id } : {})}
      onValueChange={(chosen) => change(() => ({ model: chosen }))}
    >
      <Select.Trigger
        className={classes(inputClass, 'flex min-h-13 items-center gap-2 py-1.5 text-left')}
        {...attributes}
        {...(labelId ? { 'aria-labelledby': labelId } : {})}
      >
        <span className="min-w-0 flex-1">
          {model && <ModelLines {...{ model, quality, price }} />}
        </span>
        <Select.Icon className="text-text-3">
          <ChevronsUpDown {...icon} />
        </Select.Icon>
      </Select.Trigger>
      <Select.Portal>
        <Select.Positioner sideOffset={gap} alignItemWithTrigger={false} className="z-50">
          <Select.Popup className={classes(menuPopupClass, 'w-[var(--anchor-width)] max-w-none')}>
            <Choices {...{ models: choices, quality, price }} />
          </Select.Popup>
        </Select.Positioner>
      </Select.Portal>
    </Select.Root>
  );
}

/** With those that were withdrawn while they were chosen: a list that loses its choice goes back to its first one. */
function useChoices(models: readonly PlaygroundModel[], model: PlaygroundModel | null) {
  const [withdrawn, setWithdrawn] = useState<readonly PlaygroundModel[]>([]);
  if (model && !isAmong(models, model.id) && !isAmong(withdrawn, model.id)) {
    setWithdrawn([...withdrawn, model]);
  }
  return useMemo(
    () => [...models, ...withdrawn.filter(({ id }) => !isAmong(models, id))],
    [models, withdrawn],
  );
}

function isAmong(models: readonly PlaygroundModel[], id: string): boolean {
  return models.some((each) => each.id === id);
}

interface Context {
  /** What is asked for: the time that it takes is told. */
  quality: ImageQuality;
  price: (amount: WireAmount) => string;
}

/** They stay when the list is closed, and there may be hundreds: not drawn anew by every letter of a prompt. */
const Choices = memo(function Choices({
  models,
  ...context
}: Context & { models: readonly PlaygroundModel[] }) {
  return models.map((each) => (
    <Select.Item
      key={each.id}
      value={each.id}
      disabled={!each.is_available}
      className="flex min-h-13 cursor-default items-center gap-2 px-2.5 py-1.5 outline-none select-none data-highlighted:bg-hover"
    >
      <span className="grid size-4 shrink-0 place-items-center">
        <Select.ItemIndicator>
          <Check {...icon} />
        </Select.ItemIndicator>
      </span>
      <span className="min-w-0 flex-1">
        <ModelLines model={each} {...context} />
      </span>
    </Select.Item>
  ));
});

/** ID and price; description and how long it usually takes, or why it cannot be used. */
function ModelLines({ model, quality, price }: Context & { model: PlaygroundModel }) {
  const t = useText(playgroundText);
  const formats = useFormats();
  const pace = model.paces.find((each) => each.quality === quality);
  const details = [
    model.is_available ? null : model.missing ? t.missing[model.missing] : t.unavailable,
    pace ? t.modelTime(formats.duration(pace.p50_ms)) : null,
    model.description || null,
  ].filter(Boolean);
  return (
    <span
      className={classes('grid grid-cols-[minmax(0,1fr)]', !model.is_available && 'text-text-3')}
    >
      <span className="flex items-baseline justify-between gap-3">
        <span translate="no" className="truncate">
          {model.id}
        </span>
        {model.price && (
          <span className="tabular shrink-0 text-label text-text-2">
            {price(model.price)} {t.perRequest}
          </span>
        )}
      </span>
      <span className="truncate text-label text-text-2">{details.join(' · ') || '\u00a0'}</span>
    </span>
  );
}
