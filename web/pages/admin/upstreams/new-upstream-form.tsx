import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { UpstreamKind } from '../../../../shared/console/admin-upstreams.ts';
import { useAfterAdminChange } from '../../../api/admin-change.ts';
import {
  addUpstream,
  fetchModelList,
  firstTestQuery,
  testUpstream,
} from '../../../api/admin-upstreams.ts';
import { Form } from '../../../forms/form.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { adminUpstreamsText } from '../../../i18n/admin-upstreams-text.ts';
import { useText } from '../../../i18n/text.ts';
import { uiText } from '../../../i18n/ui-text.ts';
import { useLeadOn } from '../../../lib/still-here.ts';
import { LeaveGuard } from '../../../parts/leave-guard.tsx';
import { paths } from '../../../paths.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Select } from '../../../ui/select.tsx';
import { TextInput } from '../../../ui/text-input.tsx';
import { SettingsFields } from './connection/settings-fields.tsx';
import { draftOf, problemsOf, readFields, settingsOf } from './connection/settings-schema.ts';
import { CredentialField } from './keys/credential-field.tsx';

/** Name, address, credential and settings of one kind; its model list is fetched right after. */
export function NewUpstreamForm({ kind }: { kind: UpstreamKind }) {
  const t = useText(adminUpstreamsText);
  const words = useText(adminCommonText);
  const ui = useText(uiText);
  const leadOn = useLeadOn();
  const refresh = useAfterAdminChange();
  const queryClient = useQueryClient();
  const fields = readFields(kind.settings);
  const [preset, setPreset] = useState('0');
  const [isChecked, setChecked] = useState(false);
  const form = useForm({
    initial: beginning(kind, 0),
    check: ({ name, base_url: url, credential, settings }) => {
      setChecked(true);
      const isUrlNeeded = kind.base_url === 'needed' || url.trim() !== '';
      return {
        name: name.trim() === '' ? words.missing : null,
        base_url: isUrlNeeded && !URL.canParse(url.trim()) ? t.badUrl : null,
        credential: kind.credential === 'needed' && credential === '' ? words.missing : null,
        settings: problemsOf(fields, settings).size > 0 ? t.badSettings : null,
      };
    },
    submit: async ({ name, base_url: url, proxy, credential, settings }) => {
      const { id } = await addUpstream({
        name: name.trim(),
        kind: kind.kind,
        base_url: url.trim() === '' ? null : url.trim(),
        proxy: proxy.trim() === '' ? null : proxy.trim(),
        credential: credential === '' ? null : credential,
        settings: settingsOf(fields, settings),
      });
      // It is there either way; the page of its test says what went wrong.
      const isListed = await fetchModelList(id).then(
        () => true,
        () => false,
      );
      const test = isListed ? null : await testUpstream(id, null).catch(() => null);
      await refresh();
      if (test) queryClient.setQueryData(firstTestQuery(id).queryKey, test);
      await leadOn({
        to: paths.upstream(id).path,
        search: { tab: isListed ? 'models' : 'test' },
      });
    },
  });
  const choosePreset = (chosen: string) => {
    setPreset(chosen);
    const { base_url, settings } = beginning(kind, Number(chosen));
    form.set('base_url', base_url);
    form.set('settings', settings);
  };
  return (
    <Form form={form} className="gap-5">
      {kind.presets.length > 1 && (
        <Field label={t.preset} help={t.presetHelp} className="max-w-100">
          <Select
            value={preset}
            choices={kind.presets.map(({ title }, index) => ({
              value: String(index),
              label: title,
            }))}
            onChange={choosePreset}
          />
        </Field>
      )}
      <Field label={t.name} help={t.nameHelp} error={form.errors.name} className="max-w-100">
        <TextInput {...form.input('name')} autoComplete="off" spellCheck={false} mono />
      </Field>
      {kind.base_url !== 'unused' && (
        <Field
          label={t.baseUrl}
          error={form.errors.base_url}
          note={kind.base_url === 'optional' ? ui.optional : null}
        >
          <TextInput {...form.input('base_url')} type="url" mono spellCheck={false} />
        </Field>
      )}
      {kind.credential !== 'unused' && (
        <CredentialField
          expected={kind.credential_form}
          isOptional={kind.credential === 'optional'}
          error={form.errors.credential}
          value={form.values.credential}
          onChange={(credential) => form.set('credential', credential)}
        />
      )}
      {kind.base_url !== 'unused' && (
        <Field
          label={t.proxyNew}
          help={t.proxyNewHelp}
          error={form.errors.proxy}
          note={ui.optional}
        >
          <TextInput {...form.input('proxy')} mono autoComplete="off" spellCheck={false} />
        </Field>
      )}
      <SettingsFields
        kind={kind.kind}
        fields={fields}
        draft={form.values.settings}
        problems={isChecked ? problemsOf(fields, form.values.settings) : new Map()}
        onChange={(settings) => form.set('settings', settings)}
      />
      {form.errors.settings && <p className="text-label text-bad">{form.errors.settings}</p>}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line pt-4">
        <Button type="submit" look="primary" busy={form.isBusy}>
          {t.create}
        </Button>
        <span className="text-label text-text-2">{t.createNote}</span>
      </div>
      <LeaveGuard isDirty={form.isDirty && !form.isBusy} />
    </Form>
  );
}

/** What a preset fills in. */
function beginning({ kind, presets, settings: schema }: UpstreamKind, index: number) {
  const preset = presets[index];
  return {
    name: kind === 'sandbox' ? 'sandbox' : '',
    base_url: preset?.base_url ?? '',
    proxy: '',
    credential: '',
    settings: draftOf(readFields(schema), preset?.settings ?? {}),
  };
}
