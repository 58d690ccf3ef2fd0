import { Columns3 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useText } from '../i18n/text.ts';
import { uiText } from '../i18n/ui-text.ts';
import { keptTexts } from '../lib/kept-texts.ts';
import { Button } from './button.tsx';
import { Checkbox } from './checkbox.tsx';
import type { Column } from './data-table.tsx';
import { icon } from './icon.ts';
import { Popover } from './popover.tsx';

/** Which columns of a table are shown, kept in this browser. The first one always is: it opens the row. */
export function useColumnChoice<Row>(table: string, columns: readonly Column<Row>[]) {
  const [hidden, setHidden] = useState(() => readHidden(table));
  const shown = useMemo(
    () => columns.filter(({ id }, index) => index === 0 || !hidden.includes(id)),
    [columns, hidden],
  );
  const toggle = (id: string, isShown: boolean) => {
    const next = isShown ? hidden.filter((each) => each !== id) : [...hidden, id];
    keptTexts.write(storageKey(table), JSON.stringify(next));
    setHidden(next);
  };
  return {
    shown,
    menu: <ColumnMenu columns={columns.slice(1)} hidden={hidden} onToggle={toggle} />,
  };
}

function ColumnMenu<Row>({
  columns,
  hidden,
  onToggle,
}: {
  columns: readonly Column<Row>[];
  hidden: readonly string[];
  onToggle: (id: string, isShown: boolean) => void;
}) {
  const t = useText(uiText);
  return (
    <Popover
      align="end"
      title={t.columns}
      trigger={
        <Button icon={<Columns3 {...icon} />} className="max-sm:hidden">
          {t.columns}
        </Button>
      }
    >
      {columns.map(({ id, title }) => (
        <Checkbox
          key={id}
          label={title}
          checked={!hidden.includes(id)}
          onChange={(isShown) => onToggle(id, isShown)}
        />
      ))}
    </Popover>
  );
}

function storageKey(table: string): string {
  return `tintype.columns.${table}`;
}

function readHidden(table: string): readonly string[] {
  try {
    const stored: unknown = JSON.parse(keptTexts.read(storageKey(table)) ?? '[]');
    return Array.isArray(stored) ? stored.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
}
