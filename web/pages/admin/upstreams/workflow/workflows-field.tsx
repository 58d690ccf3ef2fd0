import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { adminCommonText } from '../../../../i18n/admin-common-text.ts';
import { adminUpstreamsText } from '../../../../i18n/admin-upstreams-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { uiText } from '../../../../i18n/ui-text.ts';
import { Button } from '../../../../ui/button.tsx';
import { icon } from '../../../../ui/icon.ts';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { useFocusInPlace } from '../../../../ui/use-focus-in-place.ts';
import type { SettingControl, SettingField, Settings } from '../connection/settings-schema.ts';
import { slotTitle } from './slot-title.ts';
import { WorkflowDialog } from './workflow-dialog.tsx';
import { marksOf } from './workflow-graph.ts';

export interface WorkflowsFieldProps {
  field: SettingField;
  control: Extract<SettingControl, { kind: 'workflows' }>;
  /** JSON: the workflows by name. */
  typed: string;
  onChange: (typed: string) => void;
}

type Workflows = Readonly<Record<string, Settings>>;

/** The workflows by name; each is pasted and marked in a dialog of its own. */
export function WorkflowsField({ field, control, typed, onChange }: WorkflowsFieldProps) {
  const t = useText(adminUpstreamsText);
  const [edited, setEdited] = useState<{ name: string | null } | null>(null);
  // Nothing else writes what is typed here.
  const workflows = (typed === '' ? {} : JSON.parse(typed)) as Workflows;
  const write = (next: Workflows) =>
    onChange(Object.keys(next).length === 0 ? '' : JSON.stringify(next, null, 2));
  const names = Object.keys(workflows);
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 text-label font-semibold">{field.title}</legend>
      {field.description && <p className="text-label text-text-2">{field.description}</p>}
      <ul className="overflow-hidden rounded-control border border-line bg-surface empty:hidden">
        {Object.entries(workflows).map(([name, workflow]) => (
          <WorkflowRow
            key={name}
            name={name}
            slots={workflow['slots']}
            onEdit={() => setEdited({ name })}
            onRemove={() => write(without(workflows, name))}
          />
        ))}
      </ul>
      <Button
        className="justify-self-start"
        icon={<Plus {...icon} />}
        onClick={() => setEdited({ name: null })}
      >
        {t.addWorkflow}
      </Button>
      {edited && (
        <WorkflowDialog
          control={control}
          name={edited.name}
          initial={edited.name === null ? {} : (workflows[edited.name] ?? {})}
          taken={names.filter((name) => name !== edited.name)}
          onClose={() => setEdited(null)}
          onSave={(name, workflow) => {
            write(replaced(workflows, edited.name, [name, workflow]));
            setEdited(null);
          }}
        />
      )}
    </fieldset>
  );
}

interface WorkflowRowProps {
  name: string;
  slots: unknown;
  onEdit: () => void;
  onRemove: () => void;
}

function WorkflowRow({ name, slots, onEdit, onRemove }: WorkflowRowProps) {
  const words = useText(adminCommonText);
  const ui = useText(uiText);
  const row = useFocusInPlace<HTMLLIElement>();
  return (
    <li
      ref={row}
      className="flex items-center gap-2 py-1.5 pr-1.5 pl-3.5 not-first:border-t not-first:border-line"
    >
      <span className="min-w-0 flex-1">
        <code className="break-all" translate="no">
          {name}
        </code>
        <span className="block text-label text-text-2">
          <MarkedSlots slots={slots} />
        </span>
      </span>
      <IconButton
        label={ui.labelled(words.edit, name)}
        icon={<Pencil {...icon} />}
        onClick={onEdit}
      />
      <IconButton
        label={ui.labelled(words.remove, name)}
        icon={<Trash2 {...icon} />}
        onClick={onRemove}
      />
    </li>
  );
}

function MarkedSlots({ slots }: { slots: unknown }) {
  const t = useText(adminUpstreamsText);
  const titles = Object.keys(marksOf(slots)).map((name) => slotTitle(name, t));
  return titles.length === 0 ? t.nothingMarked : t.marked(titles);
}

function without(workflows: Workflows, name: string): Workflows {
  return Object.fromEntries(Object.entries(workflows).filter(([each]) => each !== name));
}

/** In its place, also under another name; a new one comes last. */
function replaced(
  workflows: Workflows,
  name: string | null,
  entry: readonly [string, Settings],
): Workflows {
  if (name === null) return { ...workflows, [entry[0]]: entry[1] };
  return Object.fromEntries(
    Object.entries(workflows).map((each) => (each[0] === name ? entry : each)),
  );
}
