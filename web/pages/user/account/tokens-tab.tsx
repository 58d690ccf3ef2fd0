import { useState } from 'react';
import type { Account } from '../../../../shared/console/account.ts';
import { type MadeToken, revokeAccessToken } from '../../../api/account.ts';
import { accountText } from '../../../i18n/account-text.ts';
import { useText } from '../../../i18n/text.ts';
import { Button } from '../../../ui/button.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Time } from '../../../ui/time.tsx';
import { AccountMatter, type AccountPart, useRefreshAccount } from './account-matter.tsx';
import { NewTokenDialog } from './new-token-dialog.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import { TokenSecret } from './token-secret.tsx';

type Token = Account['access_tokens'][number];
type Open =
  | { kind: 'create' }
  | { kind: 'secret'; made: MadeToken }
  | { kind: 'revoke'; token: Token };

/** For scripts that use the console's own API. */
export function TokensTab({ account: { access_tokens: tokens } }: AccountPart) {
  const t = useText(accountText);
  const refresh = useRefreshAccount();
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const columns = useColumns((token) => setOpen({ kind: 'revoke', token }));
  return (
    <AccountMatter
      title={t.tabs.tokens}
      text={t.tokens.text}
      actions={<Button onClick={() => setOpen({ kind: 'create' })}>{t.tokens.create}</Button>}
    >
      <DataTable
        caption={t.tabs.tokens}
        isCompact
        columns={columns}
        rows={tokens}
        rowKey={({ id }) => id}
        empty={<EmptyState title={t.tokens.none} />}
      />
      {open?.kind === 'create' && (
        <NewTokenDialog onClose={close} onMade={(made) => setOpen({ kind: 'secret', made })} />
      )}
      {open?.kind === 'secret' && (
        <TokenSecret
          made={open.made}
          onDone={() => {
            close();
            void refresh();
          }}
        />
      )}
      {open?.kind === 'revoke' && <RevokeDialog token={open.token} onClose={close} />}
    </AccountMatter>
  );
}

function useColumns(revoke: (token: Token) => void): readonly Column<Token>[] {
  const t = useText(accountText);
  return [
    { id: 'name', title: t.name, phone: 'title', cell: ({ name }) => name },
    {
      id: 'ends',
      title: t.tokens.ends,
      phone: 'detail',
      cell: ({ ends }) => <code translate="no">…{ends}</code>,
    },
    {
      id: 'created',
      title: t.created,
      cell: ({ created_at: at }) => <Time at={at} look="date" />,
    },
    {
      id: 'used',
      title: t.lastUsed,
      cell: ({ last_used_at: at }) => (at === null ? t.never : <Time at={at} />),
    },
    {
      id: 'expires',
      title: t.expires,
      cell: ({ expires_at: at }) => (at === null ? t.never : <Time at={at} look="date" />),
    },
    {
      id: 'actions',
      title: t.actions,
      align: 'end',
      phone: 'value',
      cell: (token) => (
        <Button
          size="small"
          aria-label={t.tokens.revokeOf(token.name)}
          onClick={() => revoke(token)}
        >
          {t.tokens.revoke}
        </Button>
      ),
    },
  ];
}

function RevokeDialog({ token: { id, name }, onClose }: { token: Token; onClose: () => void }) {
  const t = useText(accountText).tokens;
  const words = {
    title: t.revokeTitle(name),
    text: t.revokeText,
    confirm: t.revokeConfirm,
    done: t.revoked,
  };
  return <RemoveDialog words={words} onRemove={() => revokeAccessToken(id)} onClose={onClose} />;
}
