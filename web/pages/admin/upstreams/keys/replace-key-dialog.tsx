import { useAfterAdminChange } from '../../../../api/admin-change.ts';
import { replaceKey, type UpstreamKeyView } from '../../../../api/admin-upstreams.ts';
import { FormDialog } from '../../../../forms/form-dialog.tsx';
import { useForm } from '../../../../forms/use-form.ts';
import { adminCommonText } from '../../../../i18n/admin-common-text.ts';
import { adminUpstreamsText } from '../../../../i18n/admin-upstreams-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { CredentialField } from './credential-field.tsx';

export function ReplaceKeyDialog({
  upstreamId,
  upstreamKey: { name, last_four: lastFour },
  expected,
  onClose,
}: {
  upstreamId: string;
  upstreamKey: UpstreamKeyView;
  expected: string;
  onClose: () => void;
}) {
  const t = useText(adminUpstreamsText);
  const words = useText(adminCommonText);
  const refresh = useAfterAdminChange();
  const form = useForm({
    initial: { credential: '' },
    check: ({ credential }) => ({ credential: credential === '' ? words.missing : null }),
    submit: async ({ credential }) => {
      await replaceKey(upstreamId, name, credential);
      await refresh();
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={t.replaceKeyTitle(name)}
      intro={t.replaceKeyText}
      confirm={t.replaceKeyConfirm}
      onClose={onClose}
    >
      <CredentialField
        expected={expected}
        lastFour={lastFour}
        error={form.errors.credential}
        value={form.values.credential}
        onChange={(credential) => form.set('credential', credential)}
      />
    </FormDialog>
  );
}
