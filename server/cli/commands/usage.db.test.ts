import { beforeAll, describe, expect, it } from 'vitest';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { payAPicture } from '../../../test/support/history/traced-person.ts';
import { addSpender } from '../../../test/support/money/spending.ts';
import { type CommandLine, commandLine } from '../../../test/support/processes/command-line.ts';
import type { UsageRecordRow } from '../../db/schema.ts';
import { pruneUsageBatch } from '../../flows/installation/prune-history.ts';
import type { AttemptRecord } from '../../flows/requests/attempts/attempt.ts';
import type { StoredAttempt } from './present-attempts.ts';

/** 00:30 on the day in Berlin on which the clock goes forward; still the day before in UTC. */
const nightInBerlin = Date.parse('2026-03-28T23:30:00Z');

forEachEngine((engine) => {
  let cli: CommandLine;

  beforeAll(async () => {
    const database = await engine.open();
    cli = commandLine(engine.locationOf(database));
    const { id } = await cli.json('users', 'add', 'alice@example.com');
    const user_id = String(id);
    const paid = { status: 'succeeded', code: null, images: 2, cost: 80_000 } as const;
    await database.transaction((trx) =>
      trx.kysely
        .insertInto('usage_records')
        .values([
          record({
            trace_id: 'tr_1',
            user_id,
            started_at: nightInBerlin - 3_600_000,
            attempts: attemptsOf(nightInBerlin - 3_600_000, [asLongAgo]),
          }),
          record({
            trace_id: 'tr_2',
            user_id,
            started_at: nightInBerlin,
            attempts: attemptsOf(nightInBerlin, throughTheNight),
            ...paid,
          }),
          record({
            trace_id: 'tr_3',
            user_id,
            started_at: nightInBerlin + 86_400_000,
            attempts: attemptsOf(nightInBerlin + 86_400_000, [withEverything]),
          }),
        ])
        .execute(),
    );
  });

  it('is the list when nothing else is said', async () => {
    const { out, err } = await cli.run('usage');
    const lines = out.split('\n');
    expect(lines[0]).toMatch(
      /^TIME \(UTC\) +MODEL +OPERATION +COUNT +COST \(USD\) +STATUS +CODE +TRACE ID +USER$/,
    );
    expect(lines[2]).toMatch(
      /^2026-03-28 23:30:00 +gen-image-2 +edit +2 +0\.08 +succeeded +- +tr_2 +alice@example\.com$/,
    );
    expect(err).toBe('3 requests, 2 pictures, 0.08 USD in total\n');
    expect(await cli.out('usage', 'list')).toBe(out);
  });

  it('shows times in the zone given', async () => {
    const out = await cli.out('usage', '--trace', 'tr_2', '--zone', 'Europe/Berlin');
    expect(out).toContain('TIME (Europe/Berlin)');
    expect(out).toContain('2026-03-29 00:30:00');
  });

  it.each([
    ['UTC', '2026-03-28', ['tr_2', 'tr_1']],
    ['Europe/Berlin', '2026-03-28', ['tr_1']],
    ['Europe/Berlin', '2026-03-29', ['tr_2']],
    ['Europe/Berlin', '2026-03-30', ['tr_3']],
  ])('cuts days in %s: %s', async (zone, day, expected) => {
    const { usage } = await cli.json('usage', '--from', day, '--to', day, '--zone', zone);
    expect((usage as { trace_id: string }[]).map(({ trace_id }) => trace_id)).toEqual(expected);
  });

  it('is one JSON document with exact amounts, UTC times and totals of all that match', async () => {
    expect(await cli.json('usage', '--limit', '1', '--user', 'alice@example.com')).toEqual({
      usage: [
        {
          trace_id: 'tr_3',
          started_at: '2026-03-29T23:30:00.000Z',
          ended_at: null,
          user_id: expect.stringMatching(/^usr_/),
          user: 'alice@example.com',
          api_key_id: null,
          model: 'gen-image-2',
          operation: 'edit',
          status: 'failed',
          code: 'rate_limit',
          images_requested: 2,
          images: 0,
          unit_price: '0.04',
          cost: '0.00',
          stream: false,
          size: null,
          quality: null,
          output_format: null,
        },
      ],
      totals: { records: 3, images: 2, cost: '0.08' },
      currency: 'USD',
      more: true,
    });
  });

  it('has in CSV what it has in JSON', async () => {
    const { usage } = await cli.json('usage');
    const [header = '', ...lines] = (await cli.out('usage', '--csv')).trimEnd().split('\r\n');
    const [first] = usage as Record<string, string | number | boolean | null>[];
    expect(header.split(',')).toEqual(Object.keys(first ?? {}));
    expect(lines[0]?.split(',')).toEqual(
      Object.values(first ?? {}).map((value) => String(value ?? '')),
    );
    expect(lines).toHaveLength(3);
  });

  it('filters', async () => {
    const args = ['--status', 'failed', '--code', 'rate_limit', '--model', 'gen-image-2'];
    expect(await cli.json('usage', ...args)).toMatchObject({
      usage: [{ trace_id: 'tr_3' }, { trace_id: 'tr_1' }],
      totals: { records: 2 },
    });
  });

  describe('one request', () => {
    it('is shown with its attempts', async () => {
      const out = await cli.out('usage', 'show', 'tr_2');
      expect(out).toMatch(/^trace_id +tr_2\n/);
      const attempts = out.slice(out.indexOf('\nattempts\n') + 10).split('\n');
      expect(attempts).toEqual([
        'PICTURE  TRY  UPSTREAM  MODEL        BEGAN     TOOK  OUTCOME                  STATUS',
        '      1    1  studio    studio-1  +0.005 s  0.040 s  busy                        429',
        '      1    -  attic     attic-1   +0.045 s        -  passed over: queue_full       -',
        '      1    2  studio    studio-1  +0.545 s  2.100 s  picture                       -',
        '      2    1  studio    studio-1  +0.005 s  1.900 s  picture                       -',
        '',
      ]);
      expect(await cli.json('usage', 'show', 'tr_2')).toMatchObject({
        cost: '0.08',
        attempts: [
          {
            picture: 0,
            attempt: 1,
            upstream: 'studio',
            upstream_model: 'studio-1',
            upstream_key: null,
            started_at: '2026-03-28T23:30:00.005Z',
            duration_ms: 40,
            skipped: null,
            fault: 'busy',
            status: 429,
            upstream_code: null,
            upstream_param: null,
            queued_behind: null,
            upstream_request_id: null,
            possibly_charged: false,
            warnings: [],
          },
          { upstream: 'attic', attempt: 0, skipped: 'queue_full' },
          { picture: 0, attempt: 2 },
          { picture: 1, attempt: 1 },
        ],
      });
    });

    it('has more columns where there is more to say', async () => {
      const { out, err } = await cli.run('usage', 'show', 'tr_3');
      const [header, row] = out.slice(out.indexOf('\nattempts\n') + 10).split('\n');
      expect(header).toMatch(
        /^PICTURE +TRY +UPSTREAM +MODEL +KEY +BEGAN +TOOK +OUTCOME +STATUS +CODE +MAYBE CHARGED +UPSTREAM REQUEST +WARNINGS$/,
      );
      expect(row).toMatch(
        /main +\+0\.005 s +0\.040 s +unavailable +502 +overloaded +yes +req_7 +size_approximated, mask_resized$/,
      );
      expect(err).toBe(
        'Calls without a picture that their upstream may charge for all the same: 1\n',
      );
    });

    it('of an older version is shown as far as it says', async () => {
      const out = await cli.out('usage', 'show', 'tr_1');
      expect(out).toMatch(/\n +1 +1 +studio +studio-1 +\+0\.005 s +- +timeout\n$/);
    });

    it('is not found when nobody made it', async () => {
      expect(await cli.run('usage', 'show', 'tr_9')).toEqual({
        exitCode: 1,
        out: '',
        err: 'error: There is no request with the trace ID tr_9. See: tintype usage list\n',
      });
    });

    it('whose record is no longer kept is told from one that nobody made', async () => {
      const database = await engine.open();
      const other = commandLine(engine.locationOf(database));
      const traceId = await payAPicture(database, await addSpender(database, '1.00'));
      const wanted = { beforeMs: Number.MAX_SAFE_INTEGER, after: null, limit: 10 };
      await database.transaction((trx) => pruneUsageBatch(trx, wanted));
      const command = `tintype transactions --trace ${traceId}`;
      expect(await other.run('usage', 'show', traceId)).toEqual({
        exitCode: 1,
        out: '',
        err: `error: the record of ${traceId} is older than usage_days_kept and no longer kept; its charge is: ${command}\n`,
      });
      expect(await other.out('transactions', '--trace', traceId)).toContain(traceId);
    });
  });
});

/** When it began is counted from the request. */
const busy: AttemptRecord = {
  picture: 0,
  attempt: 1,
  upstream: 'studio',
  upstream_model: 'studio-1',
  upstream_key: null,
  started_at: 5,
  duration_ms: 40,
  fault: 'busy',
  status: 429,
  upstream_code: null,
  upstream_param: null,
  queued_behind: null,
  upstream_request_id: null,
  possibly_charged: false,
  skipped: null,
  warnings: [],
};
const made: AttemptRecord = { ...busy, fault: null, status: null, duration_ms: 1_900 };

/** As they end: the second picture's before the first's. */
const throughTheNight: readonly AttemptRecord[] = [
  busy,
  {
    ...made,
    attempt: 0,
    upstream: 'attic',
    upstream_model: 'attic-1',
    started_at: 45,
    duration_ms: 0,
    skipped: 'queue_full',
  },
  { ...made, picture: 1 },
  { ...made, attempt: 2, started_at: 545, duration_ms: 2_100 },
];

const withEverything: AttemptRecord = {
  ...busy,
  upstream_key: 'main',
  fault: 'unavailable',
  status: 502,
  upstream_code: 'overloaded',
  upstream_request_id: 'req_7',
  possibly_charged: true,
  warnings: ['size_approximated', 'mask_resized'],
};

const asLongAgo: StoredAttempt = {
  picture: 0,
  attempt: 1,
  upstream: 'studio',
  upstream_model: 'studio-1',
  started_at: 5,
  fault: 'timeout',
};

function attemptsOf(startedAt: number, attempts: readonly StoredAttempt[]): string {
  return JSON.stringify(
    attempts.map((each) => ({ ...each, started_at: startedAt + each.started_at })),
  );
}

function record(changes: Partial<UsageRecordRow>): UsageRecordRow {
  return {
    trace_id: '',
    user_id: '',
    api_key_id: null,
    model: 'gen-image-2',
    operation: 'edit',
    status: 'failed',
    code: 'rate_limit',
    images_requested: 2,
    images: 0,
    unit_price: 40_000,
    cost: 0,
    stream: 0,
    size: null,
    quality: null,
    output_format: null,
    started_at: 0,
    ended_at: null,
    attempts: null,
    asked: null,
    ...changes,
  };
}
