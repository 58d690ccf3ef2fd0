import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useAdminChange, useAfterAdminChange } from '../../../../api/admin-change.ts';
import { adminModelsQuery } from '../../../../api/admin-models.ts';
import type {
  ListedModel,
  Mapping,
  UpstreamChange,
  UpstreamDetail,
} from '../../../../api/admin-upstreams.ts';
import { Form } from '../../../../forms/form.tsx';
import { useForm } from '../../../../forms/use-form.ts';
import { adminCommonText } from '../../../../i18n/admin-common-text.ts';
import { adminUpstreamsText } from '../../../../i18n/admin-upstreams-text.ts';
import { fill } from '../../../../i18n/fill.tsx';
import { shellText } from '../../../../i18n/shell-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { uiText } from '../../../../i18n/ui-text.ts';
import { ErrorState } from '../../../../parts/error-state.tsx';
import { LeaveGuard } from '../../../../parts/leave-guard.tsx';
import { paths } from '../../../../paths.ts';
import { Button } from '../../../../ui/button.tsx';
import { Checkbox } from '../../../../ui/checkbox.tsx';
import { Dialog } from '../../../../ui/dialog.tsx';
import { Field } from '../../../../ui/field.tsx';
import { Link } from '../../../../ui/link.tsx';
import { Select } from '../../../../ui/select.tsx';
import { Skeleton } from '../../../../ui/skeleton.tsx';
import { Textarea } from '../../../../ui/textarea.tsx';
import { entryChanges } from '../connection/setting-changes.ts';
import { guessModel } from './guess-model.ts';

/** An entry, and the model whose selection is edited; null for a new one. */
export interface MappingChoice {
  entry: ListedModel;
  model: string | null;
}

export interface MappingDialogProps {
  upstream: UpstreamDetail;
  choice: MappingChoice;
  onSave: (mapping: Mapping) => Promise<UpstreamChange>;
  onRemove: (mapping: Pick<Mapping, 'model' | 'upstream_model'>) => Promise<UpstreamChange>;
  onChanged: (change: UpstreamChange) => void;
  onClose: () => void;
}

/** Upstream name ↔ our model, and how the one serves the other. */
export function MappingDialog(props: MappingDialogProps) {
  const t = useText(adminUpstreamsText);
  const { data, error, refetch } = useQuery(adminModelsQuery);
  if (data) return <Loaded {...props} models={data.models.map(({ id }) => id)} />;
  return (
    <Dialog open onClose={props.onClose} title={t.mapTitle(props.choice.entry.upstream_model)}>
      {error ? (
        <ErrorState error={error} title={t.modelsFailed} onRetry={() => void refetch()} />
      ) : (
        <Skeleton className="h-40" />
      )}
    </Dialog>
  );
}

function Loaded({
  choice: { entry, model: known },
  models,
  onSave,
  onRemove,
  onChanged,
  onClose,
}: MappingDialogProps & { models: readonly string[] }) {
  const t = useText(adminUpstreamsText);
  const words = useText(adminCommonText);
  const ui = useText(uiText);
  const { nav } = useText(shellText);
  const refresh = useAfterAdminChange();
  const formId = useId();
  const free = models.filter((id) => !entry.serves.some(({ model }) => model === id));
  const serving = entry.serves.find(({ model }) => model === known);
  const form = useForm({
    initial: {
      model: known ?? guessModel(entry.upstream_model, free),
      strict_mask: serving?.strict_mask ?? false,
      extra: textOf(serving?.extra ?? {}),
    },
    check: ({ model, extra }) => ({
      model: model === '' ? words.missing : null,
      extra: extraOf(extra) === null ? t.badJson : null,
    }),
    submit: async ({ model }, { strict_mask, extra }, base) => {
      const change = await onSave({
        model,
        upstream_model: entry.upstream_model,
        strict_mask,
        ...(extra === undefined ? {} : { extra_changes: extraChanges(base.extra, extra) }),
        // Nobody who changes how it serves wants back what somebody else has removed.
        only_if_selected: known !== null,
      });
      await refresh();
      onChanged(change);
    },
  });
  const help = fill(t.mapModelHelp, { models: <Link to={paths.models()}>{nav.models}</Link> });
  const removal = useAdminChange((model: string) =>
    onRemove({ model, upstream_model: entry.upstream_model }),
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title={t.mapTitle(entry.upstream_model)}
      actions={
        <>
          {known !== null && (
            <Button
              look="quiet"
              className="mr-auto"
              busy={removal.isPending}
              onClick={() => removal.mutate(known, { onSuccess: onChanged })}
            >
              {t.mapRemove}
            </Button>
          )}
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button
            type="submit"
            form={formId}
            look="primary"
            busy={form.isBusy}
            disabledReason={known === null && free.length === 0 ? t.noModels : null}
          >
            {known === null ? t.mapConfirm : t.mapSave}
          </Button>
        </>
      }
    >
      <Form form={form} id={formId}>
        <Field label={t.mapModel} help={known === null && help} error={form.errors.model}>
          <Select
            value={form.values.model}
            disabled={known !== null}
            choices={(known === null ? free : [known]).map((value) => ({ value, label: value }))}
            onChange={(model) => form.set('model', model)}
          />
        </Field>
        <Checkbox
          label={t.strictMask}
          help={t.strictMaskHelp}
          checked={form.values.strict_mask}
          onChange={(isOn) => form.set('strict_mask', isOn)}
        />
        <Field label={t.extra} help={t.extraHelp} note={ui.optional} error={form.errors.extra}>
          <Textarea
            {...form.input('extra')}
            lines={[2, 10]}
            spellCheck={false}
            placeholder="{}"
            className="font-mono text-label"
          />
        </Field>
      </Form>
      <LeaveGuard isDirty={form.isDirty && !form.isBusy} />
      {removal.error && <ErrorState error={removal.error} title={words.changeFailed} />}
    </Dialog>
  );
}

function textOf(extra: Readonly<Record<string, unknown>>): string {
  return Object.keys(extra).length === 0 ? '' : JSON.stringify(extra, null, 2);
}

function extraChanges(from: string, to: string) {
  return [...entryChanges([], { before: extraOf(from) ?? {}, after: extraOf(to) ?? {} })];
}

/** Null when it is no JSON object. */
function extraOf(text: string): Record<string, unknown> | null {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    // An object, and no list: checked in the same line.
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
