import { type KeyboardEvent, type MouseEvent, type ReactNode, useRef } from 'react';
import { useText } from '../i18n/text.ts';
import { uiText } from '../i18n/ui-text.ts';
import { classes } from './classes.ts';
import { markScrollEdges } from './scroll-edges.ts';
import { useFocusAfterRow } from './use-focus-after-row.ts';

export interface Column<Row> {
  /** Stands in the URL and in the list of hidden columns; never shown. */
  id: string;
  title: string;
  cell: (row: Row) => ReactNode;
  /** Numbers and amounts stand at the end, in figures of one width. */
  align?: 'start' | 'end';
  /**
   * Where its value stands when the row becomes two lines on a phone: `title` begins the first line,
   * `value` ends it, `detail` is on the second, `meta` ends that; `wide` is below them, over the whole
   * width and with as many lines as it needs. By default it is left out.
   */
  phone?: 'title' | 'value' | 'detail' | 'meta' | 'wide';
  /** Takes the room that the others leave; what does not fit into it is cut off. */
  isFluid?: boolean;
  /** Set when the server can sort by it. */
  sort?: 'asc' | 'desc' | 'none';
}

export interface DataTableProps<Row> {
  /** Says what the rows are; for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** Opens the row. The first or the trace cell should hold a real link to the same place. */
  onOpen?: (row: Row) => void;
  /** The row that is open beside the table. */
  openKey?: string | null;
  onSort?: (columnId: string) => void;
  /** Old rows stay, dimmed, while new ones are fetched. */
  isStale?: boolean;
  /** Instead of rows, when there are none. */
  empty?: ReactNode;
  /** Smaller, for tables of many columns. */
  isCompact?: boolean;
  /** For rows of many lines: what stands in one begins at its first line, as when it is read. */
  isTall?: boolean;
  /** Chosen rows, where they can be; what chooses one is called by its key. */
  selection?: { keys: ReadonlySet<string>; onChange: (keys: ReadonlySet<string>) => void };
}

/** A table whose sorting, filters and pages are the server's. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, rows, isStale = false, isCompact = false, empty } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  useFocusAfterRow(body);
  if (rows.length === 0 && empty) return <>{empty}</>;
  return (
    <div
      ref={markScrollEdges}
      className={classes(
        'fade relative overflow-x-auto sm:fade-edges max-sm:overflow-visible',
        isStale && 'opacity-60',
      )}
      aria-busy={isStale || undefined}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- moves between the links of its rows */}
      <table
        className={classes(
          'w-full border-collapse max-sm:block',
          isCompact ? 'text-label max-sm:text-body' : 'text-body',
        )}
        onKeyDown={(event) => moveBetweenRows(event, body.current)}
      >
        <caption className="sr-only">{caption}</caption>
        <HeadRow {...props} />
        <tbody ref={body} className="max-sm:block">
          {rows.map((row) => (
            <BodyRow key={props.rowKey(row)} row={row} {...props} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function HeadRow<Row>({
  columns,
  onSort,
  isCompact = false,
  selection,
  rows,
  rowKey,
}: DataTableProps<Row>) {
  const t = useText(uiText);
  const all = rows.map(rowKey);
  const isAll =
    selection !== undefined && all.length > 0 && all.every((key) => selection.keys.has(key));
  return (
    <thead className="max-sm:sr-only">
      <tr className="border-b border-line bg-sunken text-left text-label text-text-2">
        {selection && (
          <th scope="col" className="w-8 py-1.5 pl-3">
            <RowCheck
              label={t.selectAll}
              checked={isAll}
              onChange={() => selection.onChange(new Set(isAll ? [] : all))}
            />
          </th>
        )}
        {columns.map((column) => (
          <th
            key={column.id}
            scope="col"
            className={classes(
              'py-1.5 font-semibold whitespace-nowrap',
              isCompact ? 'px-2' : 'px-3',
              column.align === 'end' && 'text-right',
            )}
            {...sortAttributes(column)}
          >
            {column.sort && onSort ? <SortButton column={column} onSort={onSort} /> : column.title}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function SortButton<Row>({
  column,
  onSort,
}: {
  column: Column<Row>;
  onSort: (columnId: string) => void;
}) {
  const arrows = { asc: '↑', desc: '↓', none: '' } as const;
  return (
    <button
      type="button"
      className="fade min-h-6 rounded-small font-semibold hover:text-text"
      onClick={() => onSort(column.id)}
    >
      {column.title} <span aria-hidden>{arrows[column.sort ?? 'none']}</span>
    </button>
  );
}

function sortAttributes<Row>({ sort }: Column<Row>) {
  if (!sort) return {};
  const words = { asc: 'ascending', desc: 'descending', none: 'none' } as const;
  return { 'aria-sort': words[sort] };
}

function BodyRow<Row>({
  row,
  columns,
  rowKey,
  onOpen,
  openKey,
  isCompact = false,
  isTall = false,
  selection,
}: DataTableProps<Row> & { row: Row }) {
  const t = useText(uiText);
  const key = rowKey(row);
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the link in it is the way by keyboard
    <tr
      data-row={key}
      data-open={key === openKey || undefined}
      className={classes(
        'border-b border-line fade data-open:bg-accent-soft',
        'max-sm:grid max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:gap-x-3 max-sm:gap-y-0.5 max-sm:px-4 max-sm:py-2.5',
        onOpen && 'cursor-pointer hover:bg-hover',
      )}
      onClick={(event) => {
        if (onOpen && isPlainClick(event)) onOpen(row);
      }}
    >
      {selection && (
        <td className="w-8 py-1.5 pl-3 max-sm:hidden">
          <RowCheck
            label={t.selectRow(key)}
            checked={selection.keys.has(key)}
            onChange={() => selection.onChange(toggled(selection.keys, key))}
          />
        </td>
      )}
      {columns.map((column) => (
        <td key={column.id} className={cellClass(column, { isCompact, isTall })}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}

/** In a label that is large enough for a finger. */
function RowCheck({
  label,
  checked,
  onChange,
}: {
  label: string;
  checked: boolean;
  onChange: () => void;
}) {
  return (
    <label className="grid size-6 cursor-pointer place-items-center">
      <span className="sr-only">{label}</span>
      <input type="checkbox" className="check" checked={checked} onChange={onChange} />
    </label>
  );
}

function cellClass<Row>(
  { align, phone, isFluid }: Column<Row>,
  { isCompact, isTall }: { isCompact: boolean; isTall: boolean },
): string {
  return classes(
    'py-1.5 max-sm:block max-sm:p-0',
    isTall ? 'align-baseline' : 'align-middle',
    isCompact ? 'px-2' : 'px-3',
    // Beside a column that takes all room, Chinese would stand one character below the other.
    isCompact && !isFluid && 'sm:break-keep',
    isFluid && 'w-full max-w-0 min-w-32 max-sm:max-w-none',
    align === 'end' && 'text-right tabular whitespace-nowrap',
    phone ? phonePlaces[phone] : 'max-sm:hidden',
  );
}

const phonePlaces: Readonly<Record<NonNullable<Column<unknown>['phone']>, string>> = {
  title: 'max-sm:col-start-1 max-sm:row-start-1 max-sm:truncate max-sm:font-semibold',
  value: 'max-sm:col-start-2 max-sm:row-start-1 max-sm:text-right',
  detail:
    'max-sm:col-start-1 max-sm:row-start-2 max-sm:truncate max-sm:text-left max-sm:text-label max-sm:text-text-2',
  meta: 'max-sm:col-start-2 max-sm:row-start-2 max-sm:text-right max-sm:text-label',
  wide: 'max-sm:col-span-2 max-sm:row-start-3 max-sm:text-left max-sm:whitespace-normal max-sm:text-label max-sm:text-text-2 max-sm:empty:hidden',
};

function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const changed = new Set(keys);
  if (!changed.delete(key)) changed.add(key);
  return changed;
}

/** Not on a link or a control, not for a new tab, and not at the end of selecting text. */
function isPlainClick(event: MouseEvent<HTMLElement>): boolean {
  // Menus and dialogs of a row stand elsewhere on the page, and tell it all the same.
  if (!(event.target instanceof Element && event.currentTarget.contains(event.target)))
    return false;
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return false;
  if (event.target instanceof Element && event.target.closest('a, button, input, label'))
    return false;
  return window.getSelection()?.isCollapsed !== false;
}

/** `j` and `k` or arrows go from row to row, to the first link of each. */
function moveBetweenRows(event: KeyboardEvent, body: HTMLElement | null): void {
  const steps: Readonly<Record<string, number>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };
  const step = steps[event.key];
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!body?.contains(document.activeElement)) return;
  const links = [...body.querySelectorAll<HTMLElement>('tr')]
    .map((row) => row.querySelector<HTMLElement>('a, button'))
    .filter((link) => link !== null);
  const row = document.activeElement?.closest('tr');
  const at = links.findIndex((link) => link.closest('tr') === row);
  const next = links[at + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
