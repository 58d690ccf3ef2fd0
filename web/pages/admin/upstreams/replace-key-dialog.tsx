import { useId } from 'react';
import { useAfterAdminChange } from '../../../api/admin-change.ts';
import { replaceKey, type UpstreamKeyView } from '../../../api/admin-upstreams.ts';
import { Form } from '../../../forms/form.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { adminUpstreamsText } from '../../../i18n/admin-upstreams-text.ts';
import { useText } from '../../../i18n/text.ts';
import { uiText } from '../../../i18n/ui-text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
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
  const ui = useText(uiText);
  const refresh = useAfterAdminChange();
  const formId = useId();
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
    <Dialog
      open
      onClose={onClose}
      title={t.replaceKeyTitle(name)}
      actions={
        <>
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button type="submit" form={formId} look="primary" busy={form.isBusy}>
            {t.replaceKeyConfirm}
          </Button>
        </>
      }
    >
      <p className="text-text-2">{t.replaceKeyText}</p>
      <Form form={form} id={formId}>
        <CredentialField
          expected={expected}
          lastFour={lastFour}
          error={form.errors.credential}
          value={form.values.credential}
          onChange={(credential) => form.set('credential', credential)}
        />
      </Form>
    </Dialog>
  );
}
