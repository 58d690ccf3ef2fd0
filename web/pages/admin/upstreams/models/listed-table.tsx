import { Plus, SlidersHorizontal } from 'lucide-react';
import { useMemo } from 'react';
import type { ListedModel, Serving } from '../../../../api/admin-upstreams.ts';
import { adminCommonText } from '../../../../i18n/admin-common-text.ts';
import { adminUpstreamsText } from '../../../../i18n/admin-upstreams-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { uiText } from '../../../../i18n/ui-text.ts';
import { paths } from '../../../../paths.ts';
import { type Column, DataTable } from '../../../../ui/data-table.tsx';
import { icon } from '../../../../ui/icon.ts';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { Link } from '../../../../ui/link.tsx';
import { Pill } from '../../../../ui/pill.tsx';

export interface ListedTableProps {
  entries: readonly ListedModel[];
  /** On the list for the first time. */
  added: ReadonlySet<string>;
  onMap: (entry: ListedModel) => void;
  onEdit: (entry: ListedModel, model: string) => void;
  onRemove: (model: string, entry: string) => void;
}

/** A check box for each entry; what it serves, and whether that has a price. */
export function ListedTable(props: ListedTableProps) {
  const t = useText(adminUpstreamsText);
  return (
    <DataTable
      caption={t.tabs.models}
      columns={useColumns(props)}
      rows={props.entries}
      rowKey={({ upstream_model: name }) => name}
    />
  );
}

function useColumns({
  added,
  onMap,
  onEdit,
  onRemove,
}: ListedTableProps): readonly Column<ListedModel>[] {
  const t = useText(adminUpstreamsText);
  const words = useText(adminCommonText);
  const ui = useText(uiText);
  return useMemo(
    () => [
      {
        id: 'entry',
        title: t.entry,
        phone: 'title',
        cell: (entry) => (
          <EntryName
            entry={entry}
            isNew={added.has(entry.upstream_model)}
            onTick={(isOn) => {
              const [only, ...others] = entry.serves;
              if (isOn || !only) onMap(entry);
              // Which of several is meant is asked.
              else if (others.length > 0) onEdit(entry, only.model);
              else onRemove(only.model, entry.upstream_model);
            }}
          />
        ),
      },
      {
        id: 'serves',
        title: t.serves,
        phone: 'detail',
        cell: (entry) => (
          <ul className="grid gap-1">
            {entry.serves.map((serving) => (
              <li key={serving.model} className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <ServingLine serving={serving} />
                <IconButton
                  size="small"
                  label={t.mapTitle(entry.upstream_model)}
                  icon={<SlidersHorizontal {...icon} />}
                  onClick={() => onEdit(entry, serving.model)}
                />
              </li>
            ))}
          </ul>
        ),
      },
      {
        id: 'priced',
        title: t.priced,
        cell: ({ serves }) => (
          <ul className="grid gap-1">
            {serves.map(({ model, is_priced: isPriced }) => (
              <li key={model} className="flex min-h-6 items-center whitespace-nowrap">
                {isPriced ? (
                  <span className="text-text-2">{t.isPriced}</span>
                ) : (
                  <Link to={paths.model(model)}>{t.isNotPriced}</Link>
                )}
              </li>
            ))}
          </ul>
        ),
      },
      {
        id: 'more',
        title: words.actions,
        align: 'end',
        phone: 'meta',
        cell: (entry) =>
          entry.serves.length > 0 && (
            <IconButton
              size="small"
              label={ui.labelled(t.map, entry.upstream_model)}
              icon={<Plus {...icon} />}
              onClick={() => onMap(entry)}
            />
          ),
      },
    ],
    [t, words, ui, added, onMap, onEdit, onRemove],
  );
}

function EntryName({
  entry: { upstream_model: name, description, gone_at: goneAt, serves },
  isNew,
  onTick,
}: {
  entry: ListedModel;
  isNew: boolean;
  onTick: (isOn: boolean) => void;
}) {
  const t = useText(adminUpstreamsText);
  return (
    <label className="flex cursor-pointer items-start gap-2.5 py-0.5 max-sm:whitespace-normal">
      <input
        type="checkbox"
        className="check mt-[3px]"
        aria-label={t.choose(name)}
        checked={serves.length > 0}
        onChange={(event) => onTick(event.target.checked)}
      />
      <span className="min-w-0">
        <span className="flex flex-wrap items-center gap-x-2">
          <code className="break-all" translate="no">
            {name}
          </code>
          {isNew && <Pill tone="accent">{t.isNew}</Pill>}
          {goneAt !== null && <Pill tone="warn">{t.isGone}</Pill>}
        </span>
        {description && (
          <span className="block max-w-[60ch] text-label font-normal text-text-2 max-sm:hidden">
            {description}
          </span>
        )}
      </span>
    </label>
  );
}

function ServingLine({ serving: { model, strict_mask: isStrict, extra } }: { serving: Serving }) {
  const t = useText(adminUpstreamsText);
  return (
    <>
      <Link
        to={paths.model(model)}
        translate="no"
        className="wrap-anywhere whitespace-normal sm:whitespace-nowrap"
      >
        {model}
      </Link>
      {isStrict && <Pill>{t.strictMaskShort}</Pill>}
      {Object.keys(extra).length > 0 && <Pill>{t.extraShort}</Pill>}
    </>
  );
}
