import { useQuery } from '@tanstack/react-query';
import { Ellipsis } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useAdminChange } from '../../../api/admin-change.ts';
import {
  enableUserKey,
  revokeUserKey,
  type UserKey,
  userKeysQuery,
} from '../../../api/admin-users.ts';
import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { adminUsersText } from '../../../i18n/admin-users-text.ts';
import { useText } from '../../../i18n/text.ts';
import { uiText } from '../../../i18n/ui-text.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { ErrorState } from '../../../parts/error-state.tsx';
import { EmptyList } from '../../../parts/lost-place.tsx';
import { Section } from '../../../parts/section.tsx';
import { paths } from '../../../paths.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { icon } from '../../../ui/icon.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import type { Tone } from '../../../ui/notice.tsx';
import { Pill } from '../../../ui/pill.tsx';
import { Time } from '../../../ui/time.tsx';
import { ForwardList } from '../forward-list.tsx';
import { userSearch } from './user-state.ts';

/** A user's API keys, by name and state alone. */
export function KeysTab({ userId }: { userId: string }) {
  const t = useText(adminUsersText);
  const words = useText(adminCommonText);
  const [{ cursor }] = useSearchState(userSearch);
  const list = useQuery(userKeysQuery(userId, cursor));
  const [ending, setEnding] = useState<UserKey | null>(null);
  const enabling = useAdminChange(({ id, state }: UserKey) =>
    enableUserKey(userId, id, state === 'disabled'),
  );
  const revoking = useAdminChange((key: UserKey) => revokeUserKey(userId, key.id));
  const columns = useColumns({ onToggle: enabling.mutate, onEnd: setEnding });
  return (
    <Section title={t.keys} text={t.keysText}>
      {enabling.error && <ErrorState error={enabling.error} title={words.changeFailed} />}
      <ForwardList
        list={list}
        failed={t.keysFailed}
        cursor={cursor}
        at={(place) => paths.user(userId, { tab: 'keys', cursor: place })}
      >
        {({ keys }) => (
          <DataTable
            caption={t.keys}
            columns={columns}
            rows={keys}
            rowKey={({ id }) => id}
            isStale={list.isPlaceholderData}
            empty={
              <EmptyList>
                <EmptyState title={t.noKeys} />
              </EmptyList>
            }
          />
        )}
      </ForwardList>
      {ending && (
        <ConfirmDialog
          open
          isDanger
          title={t.endKeyTitle(ending.name)}
          confirm={t.endKeyConfirm}
          isBusy={revoking.isPending}
          onClose={() => {
            revoking.reset();
            setEnding(null);
          }}
          onConfirm={() => revoking.mutate(ending, { onSuccess: () => setEnding(null) })}
        >
          <p>{t.endKeyText}</p>
          {revoking.error && <ErrorState error={revoking.error} title={words.changeFailed} />}
        </ConfirmDialog>
      )}
    </Section>
  );
}

function useColumns({
  onToggle,
  onEnd,
}: {
  onToggle: (key: UserKey) => void;
  onEnd: (key: UserKey) => void;
}): readonly Column<UserKey>[] {
  const t = useText(adminUsersText);
  const words = useText(adminCommonText);
  const { listed } = useText(uiText);
  return useMemo(
    () => [
      {
        id: 'name',
        title: t.name,
        phone: 'title',
        cell: ({ name }) => <span className="block max-w-64 truncate">{name}</span>,
      },
      {
        id: 'key',
        title: t.key,
        phone: 'detail',
        cell: ({ prefix, last_four: tail }) => (
          <code className="text-label whitespace-nowrap" translate="no">
            sk-{prefix}-…{tail}
          </code>
        ),
      },
      {
        id: 'models',
        title: t.models,
        cell: ({ models }) =>
          models === null ? (
            t.allModels
          ) : (
            <span className="block max-w-40 truncate" title={models.join('\n')} translate="no">
              {listed(models)}
            </span>
          ),
      },
      {
        id: 'created',
        title: t.made,
        cell: ({ created_at: at }) => <Time at={at} look="date" />,
      },
      {
        id: 'expires',
        title: t.expires,
        cell: ({ expires_at: at }) => (at === null ? words.never : <Time at={at} look="date" />),
      },
      {
        id: 'used',
        title: t.lastUsed,
        cell: ({ last_used_at: at }) => (at === null ? words.never : <Time at={at} />),
      },
      {
        id: 'state',
        title: t.state,
        phone: 'value',
        cell: ({ state }) => <Pill tone={tones[state]}>{t.keyStates[state]}</Pill>,
      },
      {
        id: 'actions',
        title: words.actions,
        align: 'end',
        phone: 'meta',
        cell: (key) =>
          key.state !== 'revoked' && (
            <Menu
              trigger={
                <IconButton
                  size="small"
                  label={t.keyActions(key.name)}
                  icon={<Ellipsis {...icon} />}
                />
              }
              items={[
                {
                  label: key.state === 'disabled' ? words.enable : words.disable,
                  onSelect: () => onToggle(key),
                },
                { label: t.endKey, onSelect: () => onEnd(key), isDanger: true },
              ]}
            />
          ),
      },
    ],
    [t, words, listed, onToggle, onEnd],
  );
}

const tones = {
  active: 'ok',
  disabled: 'neutral',
  expired: 'warn',
  revoked: 'neutral',
} as const satisfies Readonly<Record<UserKey['state'], Tone>>;
