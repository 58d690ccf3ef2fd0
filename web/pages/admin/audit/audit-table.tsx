import { Fragment, type ReactNode, useMemo } from 'react';
import type { AuditView } from '../../../../shared/console/admin-audit.ts';
import type { AuditList } from '../../../api/admin-audit.ts';
import { adminAuditText } from '../../../i18n/admin-audit-text.ts';
import { useText } from '../../../i18n/text.ts';
import { classes } from '../../../ui/classes.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Link } from '../../../ui/link.tsx';
import { Time } from '../../../ui/time.tsx';
import { ActorName } from '../actor-name.tsx';
import { auditTarget } from './audit-target.ts';

export function AuditTable({
  list,
  isStale,
  empty,
}: {
  list: AuditList;
  isStale: boolean;
  empty: ReactNode;
}) {
  const t = useText(adminAuditText);
  return (
    <DataTable
      caption={t.title}
      isCompact
      isTall
      columns={useColumns(list.range.zone)}
      rows={list.items}
      rowKey={({ id }) => id}
      isStale={isStale}
      empty={empty}
    />
  );
}

function useColumns(zone: string): readonly Column<AuditView>[] {
  const t = useText(adminAuditText);
  return useMemo(
    () => [
      {
        id: 'time',
        title: t.time,
        phone: 'detail',
        cell: ({ created_at: at }) => <Time at={at} zone={zone} />,
      },
      {
        id: 'actor',
        title: t.actor,
        phone: 'value',
        cell: ({ actor, actor_email: email }) => (
          <span className="block max-w-48 truncate max-sm:ml-auto max-sm:max-w-36">
            <ActorName actor={actor} email={email} />
          </span>
        ),
      },
      {
        id: 'action',
        title: t.action,
        phone: 'title',
        cell: ({ action }) => <ActionName action={action} />,
      },
      {
        id: 'target',
        title: t.target,
        phone: 'meta',
        cell: (entry) => <TargetName entry={entry} />,
      },
      {
        id: 'changes',
        title: t.changes,
        phone: 'wide',
        cell: ({ changes, reason }) => (
          <>
            <Changes changes={changes} />
            {reason !== null && <p className="sm:hidden">{reason}</p>}
          </>
        ),
      },
      {
        id: 'reason',
        title: t.reason,
        cell: ({ reason }) => (
          <span className={classes('block max-w-56', isLong(reason) && 'min-w-48')}>{reason}</span>
        ),
      },
    ],
    [t, zone],
  );
}

/** Not to be read a word at a time: it has its room even where the table then does not fit on the page. */
function isLong(reason: string | null): boolean {
  return reason !== null && reason.length > 60;
}

/** Breaks where it may, on a phone, but is whole. */
function ActionName({ action }: Pick<AuditView, 'action'>) {
  return (
    <code className="sm:whitespace-nowrap max-sm:whitespace-normal" translate="no">
      {action.split(/(?<=[._])/).map((part) => (
        <Fragment key={part}>
          {part}
          <wbr />
        </Fragment>
      ))}
    </code>
  );
}

/** As a link where the console has a page for it. */
function TargetName({ entry }: { entry: AuditView }) {
  const name = entry.target_name ?? entry.target;
  const to = auditTarget(entry);
  return (
    <span
      className="block wrap-anywhere max-sm:ml-auto max-sm:max-w-40 sm:max-w-56 sm:truncate"
      title={name}
      translate="no"
    >
      {to ? <Link to={to}>{name}</Link> : name}
    </span>
  );
}

function Changes({ changes }: Pick<AuditView, 'changes'>) {
  const t = useText(adminAuditText);
  // What is new may lack much that it can have.
  const told = changes.filter(({ from, to }) => from !== null || to !== null);
  return (
    <dl className="grid gap-0.5 sm:min-w-52">
      {told.map(({ field, from, to }) => (
        <div key={field} className="flex flex-wrap gap-x-2">
          <dt className="text-text-2" translate="no">
            {field}
          </dt>
          <dd className="min-w-0 text-text wrap-anywhere" translate="no">
            {from !== null && (
              <>
                <span className="text-text-3">{from}</span> →{' '}
              </>
            )}
            {to ?? t.nothingBefore}
          </dd>
        </div>
      ))}
    </dl>
  );
}
