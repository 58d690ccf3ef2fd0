import { adminUpstreamsText } from '../../../../i18n/admin-upstreams-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { Field } from '../../../../ui/field.tsx';
import { Select } from '../../../../ui/select.tsx';
import { inCode } from '../../in-code.tsx';
import { SettingControlField } from '../connection/setting-control-field.tsx';
import type { DraftProblem, SettingDraft, SettingField } from '../connection/settings-schema.ts';
import { type Graph, nodesOf } from './workflow-graph.ts';

export interface WorkflowSettingsProps {
  fields: readonly SettingField[];
  graph: Graph;
  draft: SettingDraft;
  problems: ReadonlyMap<string, DraftProblem>;
  onChange: (draft: SettingDraft) => void;
}

/** The output node is one of the workflow's; the rest is as for any setting. */
export function WorkflowSettings({
  fields,
  graph,
  draft,
  problems,
  onChange,
}: WorkflowSettingsProps) {
  const t = useText(adminUpstreamsText);
  const set = (path: string, typed: SettingDraft[string]) => onChange({ ...draft, [path]: typed });
  return (
    <details className="group" {...(problems.size > 0 ? { open: true } : {})}>
      <summary className="w-fit rounded-small text-label font-semibold text-text-2 hover:text-text">
        {t.moreSettings(fields.length)}
      </summary>
      <div className="mt-3 grid gap-x-5 gap-y-4 border-l border-line pl-4 sm:grid-cols-2">
        {fields.map((field) =>
          field.path === 'output' ? (
            <Field
              key={field.path}
              label={field.title}
              help={field.description === null ? null : inCode(field.description)}
            >
              <Select
                value={String(draft[field.path] ?? '')}
                choices={[
                  { value: '', label: t.onlyOutput },
                  ...nodesOf(graph).map(({ node, label }) => ({ value: node, label })),
                ]}
                onChange={(node) => set(field.path, node)}
              />
            </Field>
          ) : (
            <SettingControlField
              key={field.path}
              field={field}
              typed={draft[field.path] ?? ''}
              problem={problems.get(field.path) ?? null}
              onChange={(typed) => set(field.path, typed)}
            />
          ),
        )}
      </div>
    </details>
  );
}
