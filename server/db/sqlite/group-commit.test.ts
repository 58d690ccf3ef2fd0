import { rmSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite, { type Database as SqliteHandle } from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { patience } from '../../../test/support/patience.ts';
import { makeScratchFolder } from '../../../test/support/scratch.ts';
import { GroupCommit } from './group-commit.ts';

let folder: string;
let sqlite: SqliteHandle;
let commits: GroupCommit;
let statements: string[];

beforeEach(() => {
  folder = makeScratchFolder('group-commit');
  statements = [];
  sqlite = open((statement) => statements.push(String(statement)));
  sqlite.pragma('journal_mode = wal');
  sqlite.exec(`
    create table jobs (name text primary key);
    create table later (parent text references jobs (name) deferrable initially deferred)`);
  commits = new GroupCommit(sqlite, (work) => work());
});

afterEach(() => {
  sqlite.close();
  rmSync(folder, { recursive: true });
});

describe('group commit', () => {
  it('puts all that waits into one transaction', async () => {
    await Promise.all([add('a'), add('b'), add('c')]);
    expect(jobsSeenByOthers()).toEqual(['a', 'b', 'c']);
    expect(statements.filter((statement) => statement === 'commit')).toHaveLength(1);
  });

  it('answers each job with its own result', async () => {
    expect(await Promise.all([1, 2, 3].map((n) => commits.add(() => n * 10)))).toEqual([
      10, 20, 30,
    ]);
  });

  it('answers only when others can see the outcome', async () => {
    await add('a').then(() => expect(jobsSeenByOthers()).toEqual(['a']));
  });

  it('undoes a job that fails, and no other', async () => {
    const outcomes = await Promise.allSettled([
      add('a'),
      commits.add(() => {
        insert('half done');
        throw new Error('no');
      }),
      add('a'),
      add('b'),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    expect(jobsSeenByOthers()).toEqual(['a', 'b']);
  });

  it('keeps no part of a job that cannot be undone: the others go with it, for that reason', async () => {
    const failure = new Sqlite.SqliteError('disk I/O error', 'SQLITE_IOERR_READ');
    const exec = sqlite.exec.bind(sqlite);
    const spy = vi.spyOn(sqlite, 'exec').mockImplementation((text) => {
      if (text === 'rollback to job') throw failure;
      return exec(text);
    });
    const outcomes = await Promise.allSettled([
      add('a'),
      commits.add(() => {
        insert('half done');
        throw new Error('no');
      }),
      add('b'),
    ]);
    spy.mockRestore();
    expect(outcomes).toEqual([1, 2, 3].map(() => ({ status: 'rejected', reason: failure })));
    expect(jobsSeenByOthers()).toEqual([]);
    await add('c');
    expect(jobsSeenByOthers()).toEqual(['c']);
  });

  it('rejects every job when the commit itself fails, and keeps none', async () => {
    sqlite.pragma('foreign_keys = on');
    const outcomes = await Promise.allSettled([
      add('a'),
      commits.add(() => sqlite.prepare('insert into later values (?)').run('nobody')),
      add('b'),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(jobsSeenByOthers()).toEqual([]);
  });

  it('works again after a commit that failed', async () => {
    sqlite.pragma('foreign_keys = on');
    const failing = commits.add(() => sqlite.prepare('insert into later values (?)').run('nobody'));
    await expect(failing).rejects.toThrow('FOREIGN KEY');
    await add('a');
    expect(jobsSeenByOthers()).toEqual(['a']);
  });

  it('rejects what waits when the connection cannot be had', async () => {
    const closed = new GroupCommit(sqlite, () => Promise.reject(new Error('closed')));
    await expect(closed.add(() => 1)).rejects.toThrow('closed');
    await expect(closed.add(() => 2)).rejects.toThrow('closed');
  });

  it('goes on when the connection can be had again', async () => {
    let isThere = false;
    const commits = new GroupCommit(sqlite, (work) =>
      isThere ? work() : Promise.reject(new Error('gone')),
    );
    await expect(commits.add(() => 1)).rejects.toThrow('gone');
    isThere = true;
    expect(await commits.add(() => 2)).toBe(2);
  });

  describe('while another process writes', () => {
    let other: SqliteHandle;

    beforeEach(() => {
      sqlite.pragma('busy_timeout = 0');
      other = open();
      other.exec('begin immediate');
    });

    afterEach(() => {
      vi.useRealTimers();
      other.close();
    });

    it('waits, lets the event loop go on, and then succeeds', async () => {
      const added = Promise.all([add('a'), add('b')]);
      await vi.waitFor(() => expect(triesToBegin()).toBeGreaterThan(2), patience);
      other.exec('commit');
      await added;
      expect(jobsSeenByOthers()).toEqual(['a', 'b']);
    });

    it('gives up when it takes too long, and tells every job', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout'] });
      const outcomes = Promise.allSettled([add('a'), add('b')]);
      await vi.waitFor(async () => {
        await vi.advanceTimersByTimeAsync(1_000);
        expect(triesToBegin()).toBeGreaterThanOrEqual(500);
      }, patience);
      expect(await outcomes).toMatchObject([
        { reason: { code: 'SQLITE_BUSY' } },
        { reason: { code: 'SQLITE_BUSY' } },
      ]);
    });
  });
});

function open(verbose?: (statement: unknown) => void): SqliteHandle {
  return new Sqlite(join(folder, 'jobs.db'), verbose ? { verbose } : {});
}

function add(name: string): Promise<unknown> {
  return commits.add(() => insert(name));
}

function insert(name: string): void {
  sqlite.prepare('insert into jobs values (?)').run(name);
}

function triesToBegin(): number {
  return statements.filter((statement) => statement === 'begin immediate').length;
}

function jobsSeenByOthers(): unknown[] {
  const other = open();
  try {
    return other.prepare('select name from jobs order by name').pluck().all();
  } finally {
    other.close();
  }
}
