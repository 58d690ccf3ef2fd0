import { useQuery } from '@tanstack/react-query';
import { shownKeyEnding } from '../../../../shared/key-ending.ts';
import { usersQuery } from '../../../api/admin-users.ts';
import { adminUsersText } from '../../../i18n/admin-users-text.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { ChoiceFilter } from '../../../parts/choice-filter.tsx';
import { EmptyList } from '../../../parts/lost-place.tsx';
import { TextFilter } from '../../../parts/text-filter.tsx';
import { paths } from '../../../paths.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { type ActiveFilter, Filters } from '../../../ui/filters.tsx';
import { ForwardList } from '../forward-list.tsx';
import { UserTable } from './user-table.tsx';
import { roles, userStates, usersSearch } from './users-state.ts';

const noFilters = { q: undefined, role: undefined, state: undefined, cursor: undefined } as const;

export function UserList() {
  const t = useText(adminUsersText);
  const [{ q, role, state, cursor }, change] = useSearchState(usersSearch);
  const { zone } = useFormats();
  const list = useQuery(usersQuery({ q, role, state, cursor, tz: zone }));
  return (
    <>
      <UserFilters />
      <ForwardList
        list={list}
        failed={t.listFailed}
        cursor={cursor}
        at={(place) => paths.users({ q, role, state, cursor: place })}
      >
        {({ users }) => (
          <UserTable
            users={users}
            isStale={list.isPlaceholderData}
            empty={
              <EmptyList>
                <EmptyState
                  title={t.nothing}
                  action={<Button onClick={() => change(noFilters)}>{t.clearFilters}</Button>}
                />
              </EmptyList>
            }
          />
        )}
      </ForwardList>
    </>
  );
}

function UserFilters() {
  const t = useText(adminUsersText);
  const [{ q, role, state }, change] = useSearchState(usersSearch);
  const active: ActiveFilter[] = [];
  const add = (name: string, value: string | undefined, without: object) => {
    if (value === undefined) return;
    active.push({
      label: t.filterOf(name, value),
      onRemove: () => change({ ...without, cursor: undefined }),
    });
  };
  add(t.search, q, { q: undefined });
  add(t.role, role && t.roles[role], { role: undefined });
  add(t.status, state && t.states[state], { state: undefined });
  return (
    <Filters active={active} onClear={() => change(noFilters)}>
      <TextFilter
        label={t.search}
        className="w-64 max-sm:w-full"
        value={q}
        find={shownKeyEnding}
        onChange={(text) => change({ q: text, cursor: undefined }, 'replace')}
      />
      <ChoiceFilter
        label={t.role}
        className="w-40"
        value={role}
        choices={roles.map((value) => ({ value, label: t.roles[value] }))}
        onChange={(chosen) =>
          change({ role: roles.find((each) => each === chosen), cursor: undefined })
        }
      />
      <ChoiceFilter
        label={t.status}
        className="w-36"
        value={state}
        choices={userStates.map((value) => ({ value, label: t.states[value] }))}
        onChange={(chosen) =>
          change({ state: userStates.find((each) => each === chosen), cursor: undefined })
        }
      />
    </Filters>
  );
}
