import { Upload } from 'lucide-react';
import { useRef } from 'react';
import { adminCommonText } from '../../../../i18n/admin-common-text.ts';
import { adminUpstreamsText } from '../../../../i18n/admin-upstreams-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { Button } from '../../../../ui/button.tsx';
import { Field } from '../../../../ui/field.tsx';
import { icon } from '../../../../ui/icon.ts';
import { Textarea } from '../../../../ui/textarea.tsx';
import type { useWorkflow } from './use-workflow.ts';

/** The workflow itself: pasted, or taken from a file. */
export function WorkflowText({
  workflow: { text, reading, change },
  isChecked,
}: {
  workflow: Pick<ReturnType<typeof useWorkflow>, 'text' | 'reading' | 'change'>;
  isChecked: boolean;
}) {
  const t = useText(adminUpstreamsText);
  const words = useText(adminCommonText);
  const input = useRef<HTMLInputElement>(null);
  const unreadable = reading.kind === 'unreadable' ? t.workflowUnreadable[reading.because] : null;
  const missing = isChecked ? words.missing : null;
  return (
    <div className="grid gap-2">
      <Field
        label={t.workflow}
        help={t.workflowHelp}
        error={text.trim() === '' ? missing : unreadable}
      >
        <Textarea
          value={text}
          onChange={change}
          lines={[4, 8]}
          spellCheck={false}
          placeholder="{}"
          className="font-mono text-label"
        />
      </Field>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        hidden
        aria-label={t.workflowFile}
        onChange={({ currentTarget }) => {
          void currentTarget.files?.[0]?.text().then(change);
          // The same file may be picked again.
          currentTarget.value = '';
        }}
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button icon={<Upload {...icon} />} onClick={() => input.current?.click()}>
          {t.workflowFile}
        </Button>
        {reading.kind === 'workflow' && (
          <span role="status" className="text-label text-text-2">
            {t.workflowRead(Object.keys(reading.graph).length)}
          </span>
        )}
      </div>
    </div>
  );
}
