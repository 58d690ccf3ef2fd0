import type pg from 'pg';
import { assert } from '../../lib/assert.ts';
import { systemClock } from '../../lib/clock.ts';
import { bindParameters, type Chain, type ChainParams } from '../chain.ts';
import { isConflict, isLocked } from '../database-error.ts';
import { retryConflicts } from '../retry-conflicts.ts';
import {
  type BoundStatement,
  type GroupAnswer,
  type GroupOutcome,
  type Row,
  runGroup,
} from './group.ts';
import { keepConnection } from './pool.ts';

/** A chain that waits for its commit. */
interface Job {
  bound: BoundStatement;
  owner: string;
  resolve: (row: Row | null) => void;
  reject: (error: unknown) => void;
}

/** How many groups are under way at a time. Of more of them each would have fewer chains, and cost as much. */
const groupsMax = 3;
/** How many chains share a transaction. More at a time are several groups, which a server with several cores runs at once. */
const chainsMax = 16;
/** How long a group waits for somebody else's lock, which concerns one of its owners only. */
const lockMsMax = 500;
/** A group that takes longer keeps no others waiting. */
const groupMsMax = 1_000;
/** How long the chains of an owner whose rows somebody else has locked go alone. */
const aloneMs = 5_000;

/**
 * Comes first in a group. The limit of locks holds for its transaction. The rest is for a machine that is cut off while it
 * sends one: a server that has half of it waits for the other half, with its locks, until the network says that nobody is
 * there, of which it asks after two hours by itself.
 */
const limits: BoundStatement = {
  statement: {
    name: 'limit_group',
    text: `select set_config('lock_timeout', '${lockMsMax}', true),
      set_config('tcp_keepalives_idle', '15', false),
      set_config('tcp_keepalives_interval', '5', false),
      set_config('tcp_keepalives_count', '3', false)`,
  },
  values: [],
};

const noReturned: ReadonlyMap<string, Row> = new Map();

/**
 * Runs all chains that wait at one moment in one transaction of PostgreSQL, so that they share a round trip and a durable
 * commit. Only those that name their owner: others go alone. When one of them fails, or waits for a lock, none has
 * happened: it is run again alone, and the rest without it. A chain's promise resolves after the commit, never before.
 */
export class PostgresGroupCommit {
  readonly #pool: pg.Pool;
  readonly #timeoutMs: number;
  #waiting: Job[] = [];
  #isScheduled = false;
  #groups = 0;
  /** Owners in groups under way: a chain that follows would only wait for their locks. */
  readonly #taken = new Set<string>();
  /** Owners whose chains go alone, each with the moment until which they do. */
  readonly #locked = new Map<string, number>();

  /** @param timeoutMs how long the server may take to answer */
  constructor(pool: pg.Pool, timeoutMs: number) {
    this.#pool = pool;
    this.#timeoutMs = timeoutMs;
  }

  run(chain: Chain<ChainParams, unknown>, params: ChainParams): Promise<Row | null> {
    const { statement, owner: ownerParam } = chain;
    const values = bindParameters(statement.parameters, params, noReturned).map(toText);
    const bound = { statement, values };
    const owner = ownerParam === null ? null : params[ownerParam];
    if (typeof owner !== 'string') return this.#runAlone(bound);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ bound, owner, resolve, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // After this turn's input has been read, so that everything that arrived together commits together.
    setImmediate(() => {
      this.#isScheduled = false;
      this.#beginGroups();
    });
  }

  #beginGroups(): void {
    this.#sendLockedAlone();
    while (this.#groups < groupsMax) {
      const jobs = this.#takeGroup();
      if (jobs.length === 0) return;
      void this.#runGroup(jobs);
    }
  }

  #sendLockedAlone(): void {
    if (this.#locked.size === 0) return;
    const nowMs = systemClock.monotonic();
    const { waiting = [], locked = [] } = Object.groupBy(this.#waiting, ({ owner }) =>
      (this.#locked.get(owner) ?? nowMs) > nowMs ? 'locked' : 'waiting',
    );
    this.#waiting = waiting;
    for (const job of locked) this.#settleAlone(job);
  }

  /** In the order of owners, in which every process locks their rows: so no group waits for another in a circle. */
  #takeGroup(): readonly Job[] {
    const jobs: Job[] = [];
    const others: Job[] = [];
    for (const job of this.#waiting) {
      const isNext = jobs.length < chainsMax && !this.#taken.has(job.owner);
      (isNext ? jobs : others).push(job);
    }
    this.#waiting = others;
    return jobs.sort(byOwner);
  }

  async #runGroup(jobs: readonly Job[]): Promise<void> {
    const leave = this.#enter(jobs);
    try {
      await this.#commitTogether(jobs);
    } catch (error) {
      for (const { reject } of jobs) reject(error);
    }
    leave();
  }

  /** Answers with what is to be called when the group has ended. */
  #enter(jobs: readonly Job[]): () => void {
    this.#groups++;
    for (const { owner } of jobs) this.#taken.add(owner);
    const ended = new AbortController();
    const leave = () => {
      if (ended.signal.aborted) return;
      ended.abort('the group has ended');
      this.#groups--;
      for (const { owner } of jobs) this.#taken.delete(owner);
      this.#beginGroups();
    };
    const leaveLate = () => {
      // The locks of more than one are limited, so they wait for something else.
      const [job, ...more] = jobs;
      if (job && more.length === 0) this.#noteLocked(job.owner);
      leave();
    };
    void systemClock.sleep(groupMsMax, ended.signal).then(leaveLate, () => undefined);
    return leave;
  }

  async #commitTogether(jobs: readonly Job[]): Promise<void> {
    const isOne = jobs.length === 1;
    const bound = jobs.map((job) => job.bound);
    const outcome = await this.#runOnce(isOne ? bound : [limits, ...bound]);
    switch (outcome.kind) {
      case 'committed': {
        const answers = outcome.answers.slice(-jobs.length);
        for (const [index, job] of jobs.entries()) settle(job, answers[index] ?? null);
        break;
      }
      case 'undone':
        // Alone it would fail again.
        if (isOne && !isConflict(outcome.error)) throw outcome.error;
        this.#runAgain(jobs, outcome);
        break;
      case 'unknown':
        throw outcome.error;
    }
  }

  #runAgain(jobs: readonly Job[], { error, failedAt }: GroupOutcome & { kind: 'undone' }): void {
    const failed = jobs.length === 1 ? jobs[0] : jobs[failedAt - 1];
    // As it was committed, or before the first: nobody knows for which of them.
    if (!failed) return jobs.forEach((job) => this.#settleAlone(job));
    if (isLocked(error)) this.#noteLocked(failed.owner);
    this.#settleAlone(failed);
    this.#waiting = [...jobs.filter((job) => job !== failed), ...this.#waiting];
    // A group that has left for its lateness begins no other at its end.
    this.#schedule();
  }

  #noteLocked(owner: string): void {
    const nowMs = systemClock.monotonic();
    for (const [other, untilMs] of this.#locked) {
      if (untilMs <= nowMs) this.#locked.delete(other);
    }
    this.#locked.set(owner, nowMs + aloneMs);
  }

  #settleAlone({ bound, resolve, reject }: Job): void {
    this.#runAlone(bound).then(resolve, reject);
  }

  #runAlone(bound: BoundStatement): Promise<Row | null> {
    return retryConflicts(async () => {
      const outcome = await this.#runOnce([bound]);
      if (outcome.kind !== 'committed') throw outcome.error;
      const [answer = null] = outcome.answers;
      if (answer instanceof Error) throw answer;
      return answer;
    });
  }

  async #runOnce(statements: readonly BoundStatement[]): Promise<GroupOutcome> {
    const client = await this.#pool.connect();
    let isUsable = false;
    try {
      const outcome = await runGroup(client, statements, this.#timeoutMs);
      isUsable = outcome.kind === 'undone' ? outcome.isPrepared : outcome.kind === 'committed';
      if (isUsable && isRefusedByLimit(statements, outcome)) keepConnection(client);
      return outcome;
    } finally {
      client.release(!isUsable);
    }
  }
}

/** Whether it is our limit of locks that was reached, not one that the operator gave the session. */
function isRefusedByLimit(statements: readonly BoundStatement[], outcome: GroupOutcome): boolean {
  return outcome.kind === 'undone' && isLocked(outcome.error) && statements.includes(limits);
}

function byOwner({ owner: one }: Job, { owner: other }: Job): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function toText(value: unknown): string | null {
  if (typeof value === 'string' || value === null) return value;
  assert(typeof value === 'number', 'a chain is given texts and numbers');
  return String(value);
}

function settle({ resolve, reject }: Job, answer: GroupAnswer): void {
  if (answer instanceof Error) reject(answer);
  else resolve(answer);
}
