import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { AdminModel } from '../../../../shared/console/admin-models.ts';
import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { adminModelsText } from '../../../i18n/admin-models-text.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { fromList, useOpenDetail } from '../../../parts/detail-panel.tsx';
import { paths } from '../../../paths.ts';
import { type Column, DataTable, type DataTableProps } from '../../../ui/data-table.tsx';
import { Link } from '../../../ui/link.tsx';
import { Money } from '../../../ui/money.tsx';
import { Pill } from '../../../ui/pill.tsx';
import { Time } from '../../../ui/time.tsx';
import { modelsSearch } from './models-state.ts';
import { ReadyTicks } from './ready-ticks.tsx';

export function ModelTable({
  models,
  selection,
}: {
  models: readonly AdminModel[];
  selection: NonNullable<DataTableProps<AdminModel>['selection']>;
}) {
  const t = useText(adminModelsText);
  const [state] = useSearchState(modelsSearch);
  const { id }: { id?: string } = useParams({ strict: false });
  const open = useOpenDetail();
  return (
    <DataTable
      caption={t.title}
      columns={useColumns(models)}
      rows={models}
      rowKey={(model) => model.id}
      onOpen={(model) => open(paths.model(model.id, state))}
      openKey={id ?? null}
      selection={selection}
    />
  );
}

function useColumns(models: readonly AdminModel[]): readonly Column<AdminModel>[] {
  const t = useText(adminModelsText);
  const words = useText(adminCommonText);
  const formats = useFormats();
  const [state] = useSearchState(modelsSearch);
  return useMemo(() => {
    const prices = models.flatMap(({ price }) => price ?? []);
    return [
      {
        id: 'model',
        title: t.model,
        phone: 'title',
        cell: ({ id, description }) => (
          <span className="block max-w-72 min-w-40 max-sm:truncate">
            <Link to={paths.model(id, state)} state={fromList} translate="no">
              {id}
            </Link>
            {description !== '' && (
              <span className="block truncate text-label text-text-2 max-sm:hidden">
                {description}
              </span>
            )}
          </span>
        ),
      },
      {
        id: 'price',
        title: t.price,
        align: 'end',
        phone: 'value',
        cell: ({ price }) =>
          price ? (
            <Money amount={price} as="price" among={prices} />
          ) : (
            <span className="text-text-3">{t.noPrice}</span>
          ),
      },
      {
        id: 'ticks',
        title: t.ticks,
        phone: 'detail',
        cell: (model) => <ReadyTicks model={model} isStacked />,
      },
      {
        id: 'available',
        title: t.available,
        phone: 'meta',
        cell: ({ is_available: isAvailable }) => (
          <Pill tone={isAvailable ? 'ok' : 'neutral'}>
            <span className="max-sm:hidden">{isAvailable ? words.yes : words.no}</span>
            {/* There is no title above it on a phone. */}
            <span className="sm:hidden">{isAvailable ? t.available : t.unavailable}</span>
          </Pill>
        ),
      },
      {
        id: 'upstreams',
        title: t.upstreams,
        align: 'end',
        cell: ({ upstreams }) => t.servingOf(upstreams.serving, upstreams.selected),
      },
      {
        id: 'requests',
        title: t.requests,
        align: 'end',
        cell: ({ requests_7d: count }) => formats.number(count),
      },
      {
        id: 'updated',
        title: t.updated,
        align: 'end',
        cell: ({ updated_at: at }) => <Time at={at} look="date" />,
      },
    ];
  }, [t, words, formats, state, models]);
}
