import { useState } from 'react';
import type { UpstreamKind } from '../../../../../shared/console/admin-upstreams.ts';
import { useAfterAdminChange } from '../../../../api/admin-change.ts';
import {
  editUpstream,
  type ServingChange,
  type UpstreamDetail,
} from '../../../../api/admin-upstreams.ts';
import { Form } from '../../../../forms/form.tsx';
import { useForm } from '../../../../forms/use-form.ts';
import { adminCommonText } from '../../../../i18n/admin-common-text.ts';
import { adminUpstreamsText } from '../../../../i18n/admin-upstreams-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { LeaveGuard } from '../../../../parts/leave-guard.tsx';
import { ResultLine } from '../../../../parts/result-line.tsx';
import { Section } from '../../../../parts/section.tsx';
import { Button } from '../../../../ui/button.tsx';
import { Field } from '../../../../ui/field.tsx';
import { NumberInput } from '../../../../ui/number-input.tsx';
import { TextInput } from '../../../../ui/text-input.tsx';
import { CredentialField } from '../keys/credential-field.tsx';
import { ServingNotice } from '../serving-notice.tsx';
import { checkConnection, connectionOf, patchOf, sendsKeysElsewhere } from './connection.ts';
import { ProxyFields } from './proxy-fields.tsx';
import { SettingsFields } from './settings-fields.tsx';
import { problemsOf, readFields } from './settings-schema.ts';

export interface ConnectionFormProps {
  upstream: UpstreamDetail;
  kind: UpstreamKind;
}

/** Name, address, way, order and the settings that its kind describes. */
export function ConnectionForm({ upstream, kind }: ConnectionFormProps) {
  const t = useText(adminUpstreamsText);
  const words = useText(adminCommonText);
  const refresh = useAfterAdminChange();
  const fields = readFields(kind.settings);
  const [isChecked, setChecked] = useState(false);
  /** What the last saving meant. */
  const [change, setChange] = useState<ServingChange | null>(null);
  const form = useForm({
    initial: connectionOf(upstream, fields),
    check: (values) => {
      setChecked(true);
      return checkConnection(values, { kind, fields }, { ...t, ...words });
    },
    submit: async (_values, changes, base) => {
      const answer = await editUpstream(upstream.id, patchOf(changes, { fields, base }));
      await refresh();
      setChecked(false);
      setChange(answer);
      // As it is stored: no secret stays on the page.
      return connectionOf(answer.upstream, fields);
    },
  });
  const { values, errors } = form;
  return (
    <Section title={t.connection}>
      <Form form={form} className="gap-4" aria-label={t.connection}>
        <Field label={t.name} error={errors.name} className="max-w-100">
          <TextInput {...form.input('name')} autoComplete="off" spellCheck={false} mono />
        </Field>
        {kind.base_url !== 'unused' && (
          <>
            <Field label={t.baseUrl} error={errors.base_url}>
              <TextInput {...form.input('base_url')} type="url" mono spellCheck={false} />
            </Field>
            <ProxyFields form={form} isSet={upstream.has_proxy} />
          </>
        )}
        {(sendsKeysElsewhere(values, upstream, fields) || !!errors.credential) && (
          <CredentialField
            expected={kind.credential_form}
            isOptional
            reason={t.credentialAgain}
            error={errors.credential}
            value={values.credential}
            onChange={(credential) => form.set('credential', credential)}
          />
        )}
        <div className="grid max-w-100 gap-4 sm:grid-cols-2">
          <Field label={t.priority} help={t.priorityHelp} error={errors.priority}>
            <NumberInput {...form.input('priority')} />
          </Field>
          <Field label={t.weight} help={t.weightHelp} error={errors.weight}>
            <NumberInput {...form.input('weight')} />
          </Field>
        </div>
        <SettingsFields
          kind={kind.kind}
          fields={fields}
          draft={values.settings}
          problems={isChecked ? problemsOf(fields, values.settings) : new Map()}
          onChange={(settings) => form.set('settings', settings)}
        />
        {errors.settings && <p className="text-label text-bad">{errors.settings}</p>}
        <div className="flex items-center gap-3">
          <Button type="submit" look="primary" busy={form.isBusy}>
            {words.save}
          </Button>
          <ResultLine>{change && !form.isDirty ? words.saved : null}</ResultLine>
        </div>
        {change && <ServingNotice change={change} />}
      </Form>
      <LeaveGuard isDirty={form.isDirty && !form.isBusy} />
    </Section>
  );
}
