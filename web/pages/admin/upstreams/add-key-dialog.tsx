import { useId } from 'react';
import { useAfterAdminChange } from '../../../api/admin-change.ts';
import { addKey } from '../../../api/admin-upstreams.ts';
import { Form } from '../../../forms/form.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { adminUpstreamsText } from '../../../i18n/admin-upstreams-text.ts';
import { useText } from '../../../i18n/text.ts';
import { uiText } from '../../../i18n/ui-text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { TextInput } from '../../../ui/text-input.tsx';
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
  const ui = useText(uiText);
  const refresh = useAfterAdminChange();
  const formId = useId();
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
    <Dialog
      open
      onClose={onClose}
      title={t.addKeyTitle}
      actions={
        <>
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button type="submit" form={formId} look="primary" busy={form.isBusy}>
            {t.addKeyConfirm}
          </Button>
        </>
      }
    >
      <Form form={form} id={formId}>
        <Field label={t.keyName} error={form.errors.name}>
          <TextInput {...form.input('name')} mono autoComplete="off" spellCheck={false} />
        </Field>
        <CredentialField
          expected={expected}
          error={form.errors.credential}
          value={form.values.credential}
          onChange={(credential) => form.set('credential', credential)}
        />
      </Form>
    </Dialog>
  );
}

/** `key2` when there is one key, unless it is taken. */
function freeName(names: readonly string[]): string {
  for (let number = names.length + 1; ; number++) {
    if (!names.includes(`key${number}`)) return `key${number}`;
  }
}
