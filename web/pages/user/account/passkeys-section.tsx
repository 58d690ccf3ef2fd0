import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { accountText } from '../../../i18n/account-text.ts';
import { useText } from '../../../i18n/text.ts';
import { Button } from '../../../ui/button.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { icon } from '../../../ui/icon.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { Time } from '../../../ui/time.tsx';
import { AccountMatter, type AccountPart } from './account-matter.tsx';
import {
  AddPasskeyDialog,
  type Passkey,
  RemovePasskeyDialog,
  RenamePasskeyDialog,
} from './passkey-dialogs.tsx';

type Open = { kind: 'add' } | { kind: 'rename' | 'remove'; passkey: Passkey };

/** Keys of devices, in place of a password. */
export function PasskeysSection({ account: { passkeys } }: AccountPart) {
  const t = useText(accountText).passkeys;
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const columns = useColumns(setOpen);
  return (
    <AccountMatter
      title={t.title}
      text={t.none}
      actions={<Button onClick={() => setOpen({ kind: 'add' })}>{t.add}</Button>}
    >
      {passkeys.length > 0 && (
        <DataTable caption={t.title} columns={columns} rows={passkeys} rowKey={({ id }) => id} />
      )}
      {open?.kind === 'add' && <AddPasskeyDialog onClose={close} />}
      {open?.kind === 'rename' && <RenamePasskeyDialog passkey={open.passkey} onClose={close} />}
      {open?.kind === 'remove' && <RemovePasskeyDialog passkey={open.passkey} onClose={close} />}
    </AccountMatter>
  );
}

function useColumns(setOpen: (open: Open) => void): readonly Column<Passkey>[] {
  const words = useText(accountText);
  const t = words.passkeys;
  return [
    { id: 'name', title: words.name, phone: 'title', cell: ({ name }) => name },
    {
      id: 'created',
      title: words.created,
      phone: 'detail',
      cell: ({ created_at: at }) => <Time at={at} look="date" />,
    },
    {
      id: 'used',
      title: words.lastUsed,
      cell: ({ last_used_at: at }) => (at === null ? words.never : <Time at={at} />),
    },
    {
      id: 'actions',
      title: words.actions,
      align: 'end',
      phone: 'value',
      cell: (passkey) => (
        <Menu
          trigger={
            <IconButton
              size="small"
              label={t.actionsOf(passkey.name)}
              icon={<Ellipsis {...icon} />}
            />
          }
          items={[
            { label: t.rename, onSelect: () => setOpen({ kind: 'rename', passkey }) },
            {
              label: t.remove,
              isDanger: true,
              onSelect: () => setOpen({ kind: 'remove', passkey }),
            },
          ]}
        />
      ),
    },
  ];
}
