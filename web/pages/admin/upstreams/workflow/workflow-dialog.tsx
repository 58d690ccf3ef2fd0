import { type FormEvent, useId, useState } from 'react';
import { flushSync } from 'react-dom';
import { adminCommonText } from '../../../../i18n/admin-common-text.ts';
import { adminUpstreamsText } from '../../../../i18n/admin-upstreams-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { uiText } from '../../../../i18n/ui-text.ts';
import { Button } from '../../../../ui/button.tsx';
import { Dialog } from '../../../../ui/dialog.tsx';
import { Field } from '../../../../ui/field.tsx';
import { TextInput } from '../../../../ui/text-input.tsx';
import type { SettingControl, Settings } from '../connection/settings-schema.ts';
import { SlotMarks } from './slot-marks.tsx';
import { useWorkflow } from './use-workflow.ts';
import { WorkflowSettings } from './workflow-settings.tsx';
import { WorkflowText } from './workflow-text.tsx';

export interface WorkflowDialogProps {
  control: Extract<SettingControl, { kind: 'workflows' }>;
  /** Null for a new one. */
  name: string | null;
  /** As it was stored. */
  initial: Settings;
  /** Names of the others. */
  taken: readonly string[];
  onSave: (name: string, workflow: Settings) => void;
  onClose: () => void;
}

/** One workflow: pasted, and marked where the values of a request go. */
export function WorkflowDialog(props: WorkflowDialogProps) {
  const { control, name: known, initial, taken, onSave, onClose } = props;
  const t = useText(adminUpstreamsText);
  const words = useText(adminCommonText);
  const ui = useText(uiText);
  const [name, setName] = useState(known ?? '');
  const [isChecked, setChecked] = useState(false);
  const workflow = useWorkflow(control, initial);
  const { graph, marks } = workflow;
  const isTaken = taken.includes(name.trim());
  const nameProblem = name.trim() === '' ? words.missing : isTaken ? t.workflowTaken : null;
  const formId = useId();
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // Around the dialog is the form of the upstream, which is not sent by this.
    event.stopPropagation();
    const form = event.currentTarget;
    const value = workflow.value();
    if (value !== null && nameProblem === null) {
      onSave(name.trim(), value);
      return;
    }
    // Drawn before the focus can go there.
    flushSync(() => setChecked(true));
    form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      width="wide"
      title={known === null ? t.addWorkflow : t.editWorkflow(known)}
      actions={
        <>
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button look="primary" type="submit" form={formId}>
            {t.keepWorkflow}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={save} className="grid gap-4">
        <Field
          label={t.workflowName}
          help={t.workflowNameHelp}
          error={isChecked ? nameProblem : null}
          className="max-w-100"
        >
          <TextInput value={name} onChange={setName} mono autoComplete="off" spellCheck={false} />
        </Field>
        <WorkflowText workflow={workflow} isChecked={isChecked} />
        {graph && (
          <>
            <SlotMarks
              slots={control.slots}
              graph={graph}
              marks={marks}
              promptProblem={isChecked && workflow.isPromptMissing ? t.promptUnmarked : null}
              onChange={workflow.setMarks}
            />
            <WorkflowSettings
              fields={control.own}
              graph={graph}
              draft={workflow.draft}
              problems={isChecked ? workflow.problems : new Map()}
              onChange={workflow.setDraft}
            />
          </>
        )}
      </form>
    </Dialog>
  );
}
