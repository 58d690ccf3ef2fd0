import type { ReactNode } from 'react';
import { adminUpstreamsText } from '../../../../i18n/admin-upstreams-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { Checkbox } from '../../../../ui/checkbox.tsx';
import { Field } from '../../../../ui/field.tsx';
import { Select } from '../../../../ui/select.tsx';
import { TextInput } from '../../../../ui/text-input.tsx';
import { Textarea } from '../../../../ui/textarea.tsx';
import { inCode } from '../../in-code.tsx';
import type { DraftProblem, SettingDraft, SettingField } from './settings-schema.ts';

export interface SettingControlFieldProps {
  field: SettingField;
  typed: SettingDraft[string];
  problem: DraftProblem | null;
  onChange: (typed: SettingDraft[string]) => void;
}

/** The control that fits what the setting may be. */
export function SettingControlField(props: SettingControlFieldProps) {
  const { field, typed, onChange } = props;
  const { control, title, description } = field;
  switch (control.kind) {
    case 'switch':
      return (
        <div className="content-start pt-5.5 max-sm:pt-0">
          <Checkbox label={title} help={description} checked={typed === true} onChange={onChange} />
        </div>
      );
    case 'choices':
      return <Choices {...props} choices={control.choices} />;
    case 'choice':
      return (
        <Frame {...props}>
          <Select
            value={String(typed)}
            choices={[
              ...(control.isNullable ? [{ value: '', label: '–' }] : []),
              ...control.choices.map((value) => ({ value, label: value })),
            ]}
            onChange={onChange}
          />
        </Frame>
      );
    case 'number':
      return (
        <Frame {...props}>
          <TextInput
            value={String(typed)}
            onChange={onChange}
            inputMode={control.isInteger ? 'numeric' : 'decimal'}
            autoComplete="off"
          />
        </Frame>
      );
    case 'text':
      return (
        <Frame {...props} isWide={control.isLong}>
          {control.isLong ? (
            <Textarea value={String(typed)} onChange={onChange} lines={[2, 8]} />
          ) : (
            <TextInput value={String(typed)} onChange={onChange} autoComplete="off" mono />
          )}
        </Frame>
      );
    case 'workflows':
      // Drawn by `WorkflowsField`, whose dialogs hold controls of this kind.
      return null;
    case 'lines':
    case 'json':
      return (
        <Frame {...props} isWide>
          <Textarea
            value={String(typed)}
            onChange={onChange}
            lines={[2, 12]}
            spellCheck={false}
            className="font-mono text-label"
            {...(control.kind === 'json' ? { placeholder: '{}' } : {})}
          />
        </Frame>
      );
  }
}

function Frame({
  field,
  problem,
  isWide = false,
  children,
}: SettingControlFieldProps & { isWide?: boolean; children: ReactNode }) {
  const t = useText(adminUpstreamsText);
  const { control, title, description } = field;
  const notes = { json: t.json, lines: t.oneEach };
  const note = control.kind === 'json' || control.kind === 'lines' ? notes[control.kind] : null;
  return (
    <Field
      label={title}
      help={description === null ? null : inCode(description)}
      note={note}
      error={problem === null ? null : problemText(field, problem, t)}
      {...(isWide ? { className: 'sm:col-span-2' } : {})}
    >
      {children}
    </Field>
  );
}

function problemText(
  { control }: SettingField,
  problem: DraftProblem,
  t: {
    badJson: string;
    badInteger: (min: number | null, max: number | null) => string;
    badNumber: (min: number | null, max: number | null) => string;
  },
): string {
  if (problem === 'json' || control.kind !== 'number') return t.badJson;
  const words = control.isInteger ? t.badInteger : t.badNumber;
  return words(control.min, control.max);
}

/** None of them leaves it to what is known of the service. */
function Choices({
  field: { title, description },
  typed,
  choices,
  onChange,
}: SettingControlFieldProps & { choices: readonly string[] }) {
  const chosen = Array.isArray(typed) ? (typed as readonly string[]) : [];
  return (
    <fieldset className="grid content-start gap-1.5">
      <legend className="mb-1 text-label font-semibold">{title}</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1.5">
        {choices.map((choice) => (
          <Checkbox
            key={choice}
            label={<span translate="no">{choice}</span>}
            checked={chosen.includes(choice)}
            onChange={(isOn) =>
              onChange(choices.filter((each) => (each === choice ? isOn : chosen.includes(each))))
            }
          />
        ))}
      </div>
      {description && <p className="text-label text-text-2">{inCode(description)}</p>}
    </fieldset>
  );
}
