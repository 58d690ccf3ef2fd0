import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { adminModelsQuery, type ModelList } from '../../../api/admin-models.ts';
import { adminModelsText } from '../../../i18n/admin-models-text.ts';
import { useText } from '../../../i18n/text.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { ListWithDetail } from '../../../parts/detail-panel.tsx';
import { ErrorState } from '../../../parts/error-state.tsx';
import { Page } from '../../../parts/page.tsx';
import { paths } from '../../../paths.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { icon } from '../../../ui/icon.ts';
import { Link } from '../../../ui/link.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { ReadinessBanner } from '../readiness-banner.tsx';
import { AddModelDialog } from './add-model-dialog.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { ModelTable } from './model-table.tsx';
import { isInState, modelStates, modelsSearch } from './models-state.ts';

/** What may be asked for, what it costs, and what is missing. */
export function ModelsPage() {
  const t = useText(adminModelsText);
  return (
    <ListWithDetail>
      <Page title={t.title}>
        <ReadinessBanner />
        <Models />
      </Page>
    </ListWithDetail>
  );
}

function Models() {
  const t = useText(adminModelsText);
  const { data, error, refetch } = useQuery(adminModelsQuery);
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        {data && <StateFilter counts={data.counts} />}
        <Button icon={<Plus {...icon} />} onClick={() => setAdding(true)}>
          {t.add}
        </Button>
      </div>
      {error && <ErrorState error={error} title={t.listFailed} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonRows />}
      {data && <Chosen list={data} />}
      {isAdding && <AddModelDialog onClose={() => setAdding(false)} />}
    </>
  );
}

function StateFilter({ counts }: { counts: ModelList['counts'] }) {
  const t = useText(adminModelsText);
  const [{ state = 'all' }, change] = useSearchState(modelsSearch);
  return (
    <Segmented
      label={t.filter}
      value={state}
      choices={(['all', ...modelStates] as const).map((value) => ({
        value,
        label: <span className="tabular">{t.counted(t.states[value], counts[value])}</span>,
      }))}
      onChange={(chosen) => change({ state: modelStates.find((each) => each === chosen) })}
    />
  );
}

function Chosen({ list }: { list: ModelList }) {
  const t = useText(adminModelsText);
  const [{ state }, change] = useSearchState(modelsSearch);
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const rows = list.models.filter((model) => isInState(model, state));
  const chosen = rows.filter(({ id }) => keys.has(id));
  if (list.models.length === 0) {
    return (
      <EmptyState
        title={t.empty}
        action={
          <Link to={paths.newUpstream()} look="plain" className={buttonClass('primary')}>
            {t.addUpstream}
          </Link>
        }
      />
    );
  }
  if (rows.length === 0) {
    return (
      <EmptyState
        title={t.nothing}
        action={<Button onClick={() => change({ state: undefined })}>{t.showAll}</Button>}
      />
    );
  }
  return (
    <>
      <BulkBar models={chosen} onDone={() => setKeys(new Set())} />
      <ModelTable models={rows} selection={{ keys, onChange: setKeys }} />
    </>
  );
}
