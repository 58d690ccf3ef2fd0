import type { Command } from 'commander';
import type { AuditEntry } from '../../audit/audit-entry.ts';
import { listAuditEntries } from '../../audit/audit-store.ts';
import { formatLocalTime, isoTime } from '../../lib/time-text.ts';
import type { Cli } from '../cli.ts';
import { type Column, printTable } from '../output.ts';
import {
  addLimitOption,
  addRangeOptions,
  collect,
  type LimitOption,
  noteMore,
  type RangeOptions,
  readRange,
} from '../paging.ts';

interface AuditOptions extends RangeOptions, LimitOption {
  actor?: string;
  action?: string;
  subject?: string;
  json?: boolean;
}

export function addAuditCommand(program: Command, cli: Cli): void {
  const command = program
    .command('audit')
    .description('who changed what, and why, newest first')
    .option('--actor <actor>', 'only changes by this actor, such as cli:alice')
    .option('--action <action>', 'only this action, such as model.set_price')
    .option('--subject <id>', 'only changes to this, such as a model, user or upstream ID');
  addLimitOption(addRangeOptions(command))
    .option('--json', 'print JSON')
    .action((options: AuditOptions) => {
      const { actor, action, subject, limit, zone } = options;
      const filter = { actor, action, subject, ...readRange(options) };
      return cli.on(command, async ({ database }) => {
        const found = await collect(limit, (page) => listAuditEntries(database, filter, page));
        if (options.json) {
          cli.json({ audit: found.items.map(present), more: found.more });
          return;
        }
        printTable(cli.terminal, {
          rows: found.items,
          columns: columnsIn(zone),
          empty: 'No entries.',
        });
        noteMore(cli, found);
      });
    });
}

function columnsIn(zone: string): readonly Column<AuditEntry>[] {
  return [
    { title: `TIME (${zone})`, cell: ({ createdAt }) => formatLocalTime(createdAt, zone) },
    { title: 'BY', cell: ({ actor }) => actor },
    { title: 'ACTION', cell: ({ action }) => action },
    { title: 'SUBJECT', cell: ({ subject }) => subject },
    { title: 'REASON', cell: ({ reason }) => reason },
    { title: 'DETAIL', cell: ({ detail }) => JSON.stringify(detail) },
  ];
}

function present(entry: AuditEntry) {
  return {
    id: entry.id,
    created_at: isoTime(entry.createdAt),
    actor: entry.actor,
    action: entry.action,
    subject: entry.subject,
    reason: entry.reason,
    detail: entry.detail,
  };
}
