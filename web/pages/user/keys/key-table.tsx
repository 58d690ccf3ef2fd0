import { useParams } from '@tanstack/react-router';
import { Ellipsis } from 'lucide-react';
import type { KeyView } from '../../../../shared/console/keys.ts';
import type { keys as words } from '../../../i18n/en/keys.ts';
import { type Formats, useFormats } from '../../../i18n/formats.tsx';
import { keysText } from '../../../i18n/keys-text.ts';
import { useText } from '../../../i18n/text.ts';
import { uiText } from '../../../i18n/ui-text.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { fromList, useOpenDetail } from '../../../parts/detail-panel.tsx';
import { paths } from '../../../paths.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { icon } from '../../../ui/icon.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Link } from '../../../ui/link.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { Money } from '../../../ui/money.tsx';
import { Time } from '../../../ui/time.tsx';
import { useKeyActions } from './key-actions.tsx';
import { KeyStatus } from './key-status.tsx';
import { keysSearch } from './keys-state.ts';

export function KeyTable({ keys, isStale }: { keys: readonly KeyView[]; isStale: boolean }) {
  const t = useText(keysText);
  const { id: openKey }: { id?: string } = useParams({ strict: false });
  const [state] = useSearchState(keysSearch);
  const open = useOpenDetail();
  return (
    <DataTable
      caption={t.title}
      isCompact
      columns={useColumns(keys)}
      rows={keys}
      rowKey={({ id }) => id}
      onOpen={({ id }) => open(paths.key(id, state))}
      openKey={openKey ?? null}
      isStale={isStale}
    />
  );
}

function useColumns(keys: readonly KeyView[]): readonly Column<KeyView>[] {
  const t = useText(keysText);
  const { listed } = useText(uiText);
  const [state] = useSearchState(keysSearch);
  const spends = keys.flatMap(({ spend_30d: spend }) => spend ?? []);
  return [
    {
      id: 'name',
      title: t.name,
      phone: 'title',
      cell: ({ id, name }) => (
        <Link
          to={paths.key(id, state)}
          state={fromList}
          look="plain"
          className="block max-w-56 truncate font-semibold hover:underline"
        >
          {name}
        </Link>
      ),
    },
    {
      id: 'key',
      title: t.key,
      phone: 'detail',
      cell: ({ masked }) => (
        <code className="whitespace-nowrap" translate="no">
          {masked}
        </code>
      ),
    },
    {
      id: 'models',
      title: t.models,
      cell: ({ models }) =>
        models === null ? (
          t.allModels
        ) : (
          <span className="block max-w-40 truncate" title={models.join('\n')} translate="no">
            {listed(models)}
          </span>
        ),
    },
    {
      id: 'spend',
      title: t.spend30,
      align: 'end',
      cell: ({ spend_30d: spend }) => <Spend spend={spend} among={spends} />,
    },
    {
      id: 'limit',
      title: t.limit,
      align: 'end',
      cell: ({ limits }) => <SpendLimits limits={limits} />,
    },
    {
      id: 'used',
      title: t.lastUsed,
      phone: 'wide',
      cell: ({ spend_30d: spend, limits, last_used_at: at }) => (
        <span className="flex flex-wrap gap-x-3 sm:contents">
          <span className="tabular sm:hidden">
            {t.spend30} <Spend spend={spend} among={spends} />
          </span>
          <SpendLimitsOnPhone limits={limits} />
          <span>
            <span className="sm:hidden">{t.lastUsed} </span>
            {at === null ? <span className="text-text-3">{t.never}</span> : <Time at={at} />}
          </span>
        </span>
      ),
    },
    {
      id: 'created',
      title: t.created,
      cell: ({ created_at: at }) => <Time at={at} look="date" />,
    },
    {
      id: 'status',
      title: t.status,
      phone: 'value',
      cell: ({ status }) => <KeyStatus status={status} />,
    },
    {
      id: 'actions',
      title: t.actions,
      align: 'end',
      phone: 'meta',
      cell: (key) => <RowMenu apiKey={key} />,
    },
  ];
}

function Spend({
  spend,
  among,
}: {
  spend: KeyView['spend_30d'];
  among: readonly NonNullable<KeyView['spend_30d']>[];
}) {
  if (spend === null) return <span className="text-text-3">–</span>;
  return <Money amount={spend} as="cost" among={among} />;
}

/** Nothing of a key without any. */
function SpendLimitsOnPhone({ limits }: Pick<KeyView, 'limits'>) {
  const t = useText(keysText);
  const { listed } = useText(uiText);
  const parts = limitsInWords(limits, t, useFormats());
  if (parts.length === 0) return null;
  return (
    <span className="tabular sm:hidden">
      {t.limit} {listed(parts)}
    </span>
  );
}

function SpendLimits({ limits }: Pick<KeyView, 'limits'>) {
  const t = useText(keysText);
  const parts = limitsInWords(limits, t, useFormats());
  if (parts.length === 0) return <span className="text-text-3">{t.noLimit}</span>;
  return parts.map((part) => (
    <span key={part} className="block">
      {part}
    </span>
  ));
}

function limitsInWords(
  { spend, monthly_spend: monthly }: KeyView['limits'],
  t: typeof words,
  formats: Formats,
): readonly string[] {
  return [
    ...(monthly === null ? [] : [t.perMonth(formats.total(monthly))]),
    ...(spend === null ? [] : [t.inTotal(formats.total(spend))]),
  ];
}

function RowMenu({ apiKey }: { apiKey: KeyView }) {
  const t = useText(keysText);
  const [state] = useSearchState(keysSearch);
  const open = useOpenDetail();
  const { toggle, rotate, revoke, dialogs } = useKeyActions(apiKey);
  return (
    <>
      <Menu
        trigger={
          <IconButton size="small" label={t.actionsOf(apiKey.name)} icon={<Ellipsis {...icon} />} />
        }
        items={[
          { label: t.edit, onSelect: () => open(paths.key(apiKey.id, state)) },
          { label: apiKey.status === 'disabled' ? t.enable : t.disable, onSelect: toggle },
          { label: t.rotate, onSelect: rotate },
          { kind: 'separator' },
          { label: t.revoke, isDanger: true, onSelect: revoke },
        ]}
      />
      {dialogs}
    </>
  );
}
