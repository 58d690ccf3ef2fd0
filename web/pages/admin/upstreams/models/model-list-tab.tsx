import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { useAdminChange } from '../../../../api/admin-change.ts';
import {
  fetchModelList,
  type ListedModel,
  mapModel,
  type ServingChange,
  type UpstreamDetail,
  unmapModel,
} from '../../../../api/admin-upstreams.ts';
import { adminCommonText } from '../../../../i18n/admin-common-text.ts';
import { adminUpstreamsText } from '../../../../i18n/admin-upstreams-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { useSearchState } from '../../../../lib/search-state.ts';
import { ErrorState } from '../../../../parts/error-state.tsx';
import { TextFilter } from '../../../../parts/text-filter.tsx';
import { Button } from '../../../../ui/button.tsx';
import { EmptyState } from '../../../../ui/empty-state.tsx';
import { Field } from '../../../../ui/field.tsx';
import { icon } from '../../../../ui/icon.ts';
import { Segmented } from '../../../../ui/segmented.tsx';
import { ServingNotice } from '../serving-notice.tsx';
import { upstreamSearch } from '../upstream-state.ts';
import { ListChangeNote } from './list-change-note.tsx';
import { ListedTable } from './listed-table.tsx';
import { type MappingChoice, MappingDialog } from './mapping-dialog.tsx';

/** A list of hundreds is searched, not scrolled. */
const shownMax = 100;

/** Which entries of its list serve our models. */
export function ModelListTab({ upstream }: { upstream: UpstreamDetail }) {
  const { id, model_list: list } = upstream;
  const t = useText(adminUpstreamsText);
  const { changeFailed } = useText(adminCommonText);
  const [{ q = '', list: only }] = useSearchState(upstreamSearch);
  const [choice, setChoice] = useState<MappingChoice | null>(null);
  const [change, setChange] = useState<ServingChange | null>(null);
  const refresh = useAdminChange(() => fetchModelList(id));
  const removal = useAdminChange((wanted: { model: string; upstream_model: string }) =>
    unmapModel(id, wanted),
  );
  const found = list.filter((entry) => isWanted(entry, { q, only }));
  const added = new Set(refresh.data?.added);
  const remove = (model: string, entry: string) =>
    removal.mutate({ model, upstream_model: entry }, { onSuccess: setChange });
  const error = refresh.error ?? removal.error;
  return (
    <div className="grid gap-4">
      <ListTools
        isBusy={refresh.isPending}
        onRefresh={() => refresh.mutate(undefined, { onSuccess: setChange })}
      />
      {refresh.data && <ListChangeNote change={refresh.data} />}
      {error && <ErrorState error={error} title={changeFailed} />}
      {change && <ServingNotice change={change} />}
      {found.length === 0 ? (
        <EmptyState title={list.length === 0 ? t.listEmpty : t.listNothing} />
      ) : (
        <ListedTable
          entries={found.slice(0, shownMax)}
          added={added}
          onMap={(entry) => setChoice({ entry, model: null })}
          onEdit={(entry, model) => setChoice({ entry, model })}
          onRemove={remove}
        />
      )}
      {found.length > shownMax && (
        <p className="text-label text-text-2">{t.listCut(shownMax, found.length)}</p>
      )}
      {list.length > 0 && <p className="text-label text-text-2">{t.listNote}</p>}
      {choice && (
        <MappingDialog
          upstream={upstream}
          choice={choice}
          onClose={() => setChoice(null)}
          onChanged={(made) => {
            setChange(made);
            setChoice(null);
          }}
          onSave={(mapping) => mapModel(id, mapping)}
          onRemove={(mapping) => unmapModel(id, mapping)}
        />
      )}
    </div>
  );
}

function ListTools({ isBusy, onRefresh }: { isBusy: boolean; onRefresh: () => void }) {
  const t = useText(adminUpstreamsText);
  const [{ q, list = 'all' }, setState] = useSearchState(upstreamSearch);
  return (
    <div className="flex flex-wrap items-end gap-3">
      <TextFilter
        label={t.search}
        className="w-64 max-sm:w-full"
        value={q}
        onChange={(text) => setState({ q: text }, 'replace')}
      />
      <Field label={t.showOnly}>
        <Segmented
          value={list}
          choices={(['all', 'selected', 'gone'] as const).map((value) => ({
            value,
            label: t.lists[value],
          }))}
          onChange={(chosen) => setState({ list: chosen === 'all' ? undefined : chosen })}
        />
      </Field>
      <Button
        className="ml-auto max-sm:ml-0"
        icon={<RefreshCw {...icon} />}
        busy={isBusy}
        onClick={onRefresh}
      >
        {t.refresh}
      </Button>
    </div>
  );
}

function isWanted(
  { upstream_model: name, description, serves, gone_at: goneAt }: ListedModel,
  { q, only }: { q: string; only: 'selected' | 'gone' | undefined },
): boolean {
  if (only === 'selected' && serves.length === 0) return false;
  if (only === 'gone' && goneAt === null) return false;
  const words = `${name} ${description ?? ''} ${serves.map(({ model }) => model).join(' ')}`;
  return words.toLowerCase().includes(q.toLowerCase());
}
