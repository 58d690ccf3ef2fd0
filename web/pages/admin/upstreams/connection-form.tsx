import { useState } from 'react';
import type { UpstreamKind } from '../../../../shared/console/admin-upstreams.ts';
import { useAfterAdminChange } from '../../../api/admin-change.ts';
import {
  editUpstream,
  type ServingChange,
  type UpstreamDetail,
} from '../../../api/admin-upstreams.ts';
import { Form } from '../../../forms/form.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { useLeaveGuard } from '../../../forms/use-leave-guard.ts';
import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { adminUpstreamsText } from '../../../i18n/admin-upstreams-text.ts';
import { useText } from '../../../i18n/text.ts';
import { LeaveDialog } from '../../../parts/leave-dialog.tsx';
import { ResultLine } from '../../../parts/result-line.tsx';
import { Section } from '../../../parts/section.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { NumberInput } from '../../../ui/number-input.tsx';
import { TextInput } from '../../../ui/text-input.tsx';
import { ServingNotice } from './serving-notice.tsx';
import { SettingsFields } from './settings-fields.tsx';
import { draftOf, problemsOf, readFields, settingsOf } from './settings-schema.ts';

const wholeNumber = /^-?\d{1,6}$/;

/** Name, address, order and the settings that its kind describes. */
export function ConnectionForm({
  upstream,
  kind,
}: {
  upstream: UpstreamDetail;
  kind: UpstreamKind;
}) {
  const t = useText(adminUpstreamsText);
  const words = useText(adminCommonText);
  const refresh = useAfterAdminChange();
  const fields = readFields(kind.settings);
  const [isChecked, setChecked] = useState(false);
  const [change, setChange] = useState<ServingChange | null>(null);
  const form = useForm({
    initial: {
      name: upstream.name,
      base_url: upstream.base_url ?? '',
      priority: String(upstream.priority),
      weight: String(upstream.weight),
      settings: draftOf(fields, upstream.settings),
    },
    check: ({ name, base_url: url, priority, weight, settings }) => {
      setChecked(true);
      const isUrlNeeded = kind.base_url === 'needed' || url.trim() !== '';
      return {
        name: name.trim() === '' ? words.missing : null,
        base_url: isUrlNeeded && !URL.canParse(url.trim()) ? t.badUrl : null,
        priority: wholeNumber.test(priority) ? null : words.badNumber,
        weight: wholeNumber.test(weight) ? null : words.badNumber,
        settings: problemsOf(fields, settings).size > 0 ? t.badJson : null,
      };
    },
    submit: async ({ name, base_url: url, priority, weight, settings }) => {
      setChange(null);
      const answer = await editUpstream(upstream.id, {
        name: name.trim(),
        ...(kind.base_url === 'unused' ? {} : { base_url: url.trim() === '' ? null : url.trim() }),
        priority: Number(priority),
        weight: Number(weight),
        settings: settingsOf(fields, settings),
      });
      setChange(answer);
      await refresh();
    },
  });
  const guard = useLeaveGuard(form.isDirty && !form.isBusy);
  return (
    <Section title={t.connection}>
      <Form form={form} className="gap-4">
        <Field label={t.name} error={form.errors.name} className="max-w-100">
          <TextInput {...form.input('name')} autoComplete="off" spellCheck={false} mono />
        </Field>
        {kind.base_url !== 'unused' && (
          <Field label={t.baseUrl} error={form.errors.base_url}>
            <TextInput {...form.input('base_url')} type="url" mono spellCheck={false} />
          </Field>
        )}
        <div className="grid max-w-100 gap-4 sm:grid-cols-2">
          <Field label={t.priority} help={t.priorityHelp} error={form.errors.priority}>
            <NumberInput {...form.input('priority')} />
          </Field>
          <Field label={t.weight} help={t.weightHelp} error={form.errors.weight}>
            <NumberInput {...form.input('weight')} />
          </Field>
        </div>
        <SettingsFields
          kind={kind.kind}
          fields={fields}
          draft={form.values.settings}
          problems={isChecked ? problemsOf(fields, form.values.settings) : new Map()}
          onChange={(settings) => form.set('settings', settings)}
        />
        {form.errors.settings && <p className="text-label text-bad">{form.errors.settings}</p>}
        <div className="flex items-center gap-3">
          <Button type="submit" look="primary" busy={form.isBusy}>
            {words.save}
          </Button>
          <ResultLine>{change && !form.isDirty ? words.saved : null}</ResultLine>
        </div>
        {change && <ServingNotice change={change} />}
      </Form>
      <LeaveDialog guard={guard} />
    </Section>
  );
}
