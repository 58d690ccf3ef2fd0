import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAdminChange } from '../../../api/admin-change.ts';
import type { ModelDetail } from '../../../api/admin-models.ts';
import {
  mapModel,
  type UpstreamDetail,
  upstreamQuery,
  upstreamsQuery,
} from '../../../api/admin-upstreams.ts';
import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { adminModelsText } from '../../../i18n/admin-models-text.ts';
import { useText } from '../../../i18n/text.ts';
import { ErrorState } from '../../../parts/error-state.tsx';
import { paths } from '../../../paths.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Link } from '../../../ui/link.tsx';
import { Select } from '../../../ui/select.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';

/** Ticks the second box from the model's side: an upstream, and an entry of its list. */
export function SelectUpstream({
  model,
  selections,
}: {
  model: string;
  selections: ModelDetail['selections'];
}) {
  const t = useText(adminModelsText);
  const { changeFailed } = useText(adminCommonText);
  const { data, error, refetch } = useQuery(upstreamsQuery);
  const [chosen, setChosen] = useState<string | null>(null);
  const upstreams = data?.upstreams ?? [];
  const upstreamId = chosen ?? upstreams[0]?.id ?? '';
  const [entry, setEntry] = useState('');
  const list = useQuery({ ...upstreamQuery(upstreamId), enabled: upstreamId !== '' });
  const entries = entriesOf(list.data, selections);
  const free = entries.find(({ isTaken }) => !isTaken);
  const wanted = entries.find(({ name }) => name === entry) ?? free ?? entries[0];
  const change = useAdminChange((name: string) =>
    mapModel(upstreamId, { model, upstream_model: name }),
  );
  const whyNone = list.error ? t.upstreamFailed : t.emptyList;
  const refusal = wanted ? (wanted.isTaken ? t.selectedAlready : null) : whyNone;
  if (error && !data) {
    return <ErrorState error={error} title={t.upstreamsFailed} onRetry={() => void refetch()} />;
  }
  if (!data) return <Skeleton className="h-14" />;
  if (upstreams.length === 0) {
    return (
      <p className="text-text-2">
        {t.noUpstream} <Link to={paths.newUpstream()}>{t.addUpstream}</Link>
      </p>
    );
  }
  return (
    <div className="grid gap-2">
      <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] items-end gap-2 max-sm:grid-cols-1">
        <Field label={t.upstream}>
          <Select
            value={upstreamId}
            choices={upstreams.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={setChosen}
          />
        </Field>
        <Field label={t.entry}>
          <Select
            value={wanted?.name ?? ''}
            choices={entries.map(({ name, isTaken }) => ({
              value: name,
              label: name,
              disabledReason: isTaken ? t.selectedAlready : null,
            }))}
            onChange={setEntry}
          />
        </Field>
        <Button
          busy={change.isPending || list.isPending}
          disabledReason={list.isPending ? null : refusal}
          onClick={() => {
            if (!wanted) return;
            // It stays the one in sight: a second activation does not select the next.
            setEntry(wanted.name);
            change.mutate(wanted.name);
          }}
        >
          {t.select}
        </Button>
      </div>
      {list.error && (
        <ErrorState
          error={list.error}
          title={t.upstreamFailed}
          onRetry={() => void list.refetch()}
        />
      )}
      {change.error && <ErrorState error={change.error} title={changeFailed} />}
    </div>
  );
}

/** Of its list, with whether they are selected for the model already. */
function entriesOf(upstream: UpstreamDetail | undefined, selections: ModelDetail['selections']) {
  const taken = selections
    .filter(({ upstream_id }) => upstream_id === upstream?.id)
    .map(({ upstream_model }) => upstream_model);
  return (upstream?.model_list ?? [])
    .filter(({ gone_at }) => gone_at === null)
    .map(({ upstream_model: name }) => ({ name, isTaken: taken.includes(name) }));
}
