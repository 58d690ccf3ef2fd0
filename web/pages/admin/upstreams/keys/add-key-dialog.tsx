import { useAfterAdminChange } from '../../../../api/admin-change.ts';
import { addKey } from '../../../../api/admin-upstreams.ts';
import { FormDialog } from '../../../../forms/form-dialog.tsx';
import { useForm } from '../../../../forms/use-form.ts';
import { adminCommonText } from '../../../../i18n/admin-common-text.ts';
import { adminUpstreamsText } from '../../../../i18n/admin-upstreams-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { Field } from '../../../../ui/field.tsx';
import { TextInput } from '../../../../ui/text-input.tsx';
import { CredentialField } from './credential-field.tsx';

export function AddKeyDialog({
  upstreamId,
  names,
  expected,
  onClose,
}: {
  upstreamId: string;
  /** Of the keys that are there. */
  names: readonly string[];
  expected: string;
  onClose: () => void;
}) {
  const t = useText(adminUpstreamsText);
  const words = useText(adminCommonText);
  const refresh = useAfterAdminChange();
  const form = useForm({
    initial: { name: freeName(names), credential: '' },
    check: ({ name, credential }) => ({
      name: name.trim() === '' ? words.missing : null,
      credential: credential === '' ? words.missing : null,
    }),
    submit: async ({ name, credential }) => {
      await addKey(upstreamId, { name: name.trim(), credential });
      await refresh();
      onClose();
    },
  });
  return (
    <FormDialog form={form} title={t.addKeyTitle} confirm={t.addKeyConfirm} onClose={onClose}>
      <Field label={t.keyName} error={form.errors.name}>
        <TextInput {...form.input('name')} mono autoComplete="off" spellCheck={false} />
      </Field>
      <CredentialField
        expected={expected}
        error={form.errors.credential}
        value={form.values.credential}
        onChange={(credential) => form.set('credential', credential)}
      />
    </FormDialog>
  );
}

/** `key2` when there is one key, unless it is taken. */
function freeName(names: readonly string[]): string {
  for (let number = names.length + 1; ; number++) {
    if (!names.includes(`key${number}`)) return `key${number}`;
  }
}
