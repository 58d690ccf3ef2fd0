import { adminKindsText } from '../../../../i18n/admin-kinds-text.ts';
import { adminUpstreamsText } from '../../../../i18n/admin-upstreams-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { WorkflowsField } from '../workflow/workflows-field.tsx';
import { inWords } from './kind-words.ts';
import { SettingControlField } from './setting-control-field.tsx';
import type { DraftProblem, SettingDraft, SettingField } from './settings-schema.ts';

export interface SettingsFieldsProps {
  kind: string;
  fields: readonly SettingField[];
  draft: SettingDraft;
  onChange: (draft: SettingDraft) => void;
  problems: ReadonlyMap<string, DraftProblem>;
}

/** Drawn from the kind's own description: the one that matters most in sight, the rest folded. */
export function SettingsFields({ kind, fields, draft, onChange, problems }: SettingsFieldsProps) {
  const t = useText(adminUpstreamsText);
  const known = useText(adminKindsText);
  const [first, ...rest] = fields;
  if (!first) return null;
  const show = (described: SettingField) => {
    const field = inWords(kind, described, known);
    const { path, control } = field;
    const set = (typed: SettingDraft[string]) => onChange({ ...draft, [path]: typed });
    const typed = draft[path] ?? '';
    if (control.kind === 'workflows') {
      const shared = { field, control, typed: String(typed), onChange: set };
      return <WorkflowsField key={path} {...shared} />;
    }
    const problem = problems.get(path) ?? null;
    return (
      <SettingControlField
        key={path}
        field={field}
        typed={typed}
        problem={problem}
        onChange={set}
      />
    );
  };
  const hasProblem = rest.some(({ path }) => problems.has(path));
  return (
    <div className="grid gap-4">
      {show(first)}
      {rest.length > 0 && (
        <details className="group" {...(hasProblem ? { open: true } : {})}>
          <summary className="w-fit rounded-small text-label font-semibold text-text-2 hover:text-text">
            {t.moreSettings(rest.length)}
          </summary>
          <div className="mt-3 grid gap-x-5 gap-y-4 border-l border-line pl-4 sm:grid-cols-2">
            {rest.map(show)}
          </div>
        </details>
      )}
    </div>
  );
}
