import type { PlaygroundModel } from '../../../../shared/console/models.ts';
import { quickstartText } from '../../../i18n/quickstart-text.ts';
import { useText } from '../../../i18n/text.ts';
import { uiText } from '../../../i18n/ui-text.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Money } from '../../../ui/money.tsx';

/** What a request of each model costs. */
export function PriceTable({ models }: { models: readonly PlaygroundModel[] }) {
  const t = useText(quickstartText);
  const { severalImages } = useText(uiText);
  return (
    <section className="grid min-w-0 gap-2">
      <h2 className="text-body">{t.pricesTitle}</h2>
      <p className="text-text-2">{severalImages}</p>
      <DataTable
        caption={t.pricesTitle}
        columns={useColumns(models)}
        rows={models}
        rowKey={({ id }) => id}
      />
    </section>
  );
}

function useColumns(models: readonly PlaygroundModel[]): readonly Column<PlaygroundModel>[] {
  const t = useText(quickstartText);
  const { perRequest } = useText(uiText);
  const prices = models.flatMap(({ price }) => price ?? []);
  return [
    {
      id: 'model',
      title: t.model,
      phone: 'title',
      cell: ({ id }) => (
        <span className="font-semibold whitespace-nowrap" translate="no">
          {id}
        </span>
      ),
    },
    {
      id: 'description',
      title: t.description,
      phone: 'detail',
      cell: ({ description }) => description,
    },
    {
      id: 'available',
      title: t.availability,
      phone: 'meta',
      cell: ({ is_available: isAvailable }) => (
        <span className="whitespace-nowrap">{isAvailable ? t.yes : t.notNow}</span>
      ),
    },
    {
      id: 'price',
      title: `${t.price} ${perRequest}`,
      align: 'end',
      phone: 'value',
      cell: ({ price }) => (price ? <Money amount={price} as="price" among={prices} /> : '–'),
    },
  ];
}
