import { type ReactNode, useState } from 'react';
import type { Account } from '../../../../shared/console/account.ts';
import { removePasskey, renamePasskey } from '../../../api/account.ts';
import { addPasskey } from '../../../api/add-passkey.ts';
import { Form } from '../../../forms/form.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { accountText } from '../../../i18n/account-text.ts';
import { useText } from '../../../i18n/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { TextInput } from '../../../ui/text-input.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useRefreshAccount } from './account-matter.tsx';
import { RemoveDialog } from './remove-dialog.tsx';

export type Passkey = Account['passkeys'][number];

export function AddPasskeyDialog({ onClose }: { onClose: () => void }) {
  const t = useText(accountText).passkeys;
  const [problem, setProblem] = useState<'already' | 'refused' | null>(null);
  const refresh = useRefreshAccount();
  const toast = useToast();
  const add = async (name: string) => {
    setProblem(null);
    const outcome = await addPasskey(name);
    if (outcome !== 'added') {
      setProblem(outcome);
      return;
    }
    toast({ title: t.added });
    onClose();
    await refresh();
  };
  return (
    <NameDialog
      title={t.addTitle}
      initial={t.defaultName}
      submit={t.continue}
      onSubmit={add}
      onClose={onClose}
    >
      {problem && <Notice tone="bad">{problem === 'already' ? t.already : t.failed}</Notice>}
    </NameDialog>
  );
}

export function RenamePasskeyDialog({
  passkey: { id, name },
  onClose,
}: {
  passkey: Passkey;
  onClose: () => void;
}) {
  const words = useText(accountText);
  const refresh = useRefreshAccount();
  const rename = async (wanted: string) => {
    await renamePasskey(id, wanted);
    onClose();
    await refresh();
  };
  return (
    <NameDialog
      title={words.passkeys.renameTitle(name)}
      initial={name}
      submit={words.save}
      onSubmit={rename}
      onClose={onClose}
    />
  );
}

function NameDialog({
  title,
  initial,
  submit,
  onSubmit,
  onClose,
  children,
}: {
  title: string;
  initial: string;
  submit: string;
  onSubmit: (name: string) => Promise<void>;
  onClose: () => void;
  children?: ReactNode;
}) {
  const words = useText(accountText);
  const form = useForm({
    initial: { name: initial },
    check: ({ name }) => ({ name: name.trim() === '' ? words.missing : null }),
    submit: ({ name }) => onSubmit(name.trim()),
  });
  return (
    <Dialog open onClose={onClose} title={title} width="narrow">
      <Form form={form} aria-label={title}>
        <Field label={words.name} help={words.passkeys.nameHelp} error={form.errors.name}>
          <TextInput {...form.input('name')} maxLength={100} autoComplete="off" />
        </Field>
        {children}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button type="submit" look="primary" busy={form.isBusy}>
            {submit}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

export function RemovePasskeyDialog({
  passkey: { id, name },
  onClose,
}: {
  passkey: Passkey;
  onClose: () => void;
}) {
  const t = useText(accountText).passkeys;
  const words = {
    title: t.removeTitle(name),
    text: t.removeText,
    confirm: t.removeConfirm,
    done: t.removed,
  };
  return <RemoveDialog words={words} onRemove={() => removePasskey(id)} onClose={onClose} />;
}
