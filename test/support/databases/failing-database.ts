import type { Database } from '../../../server/db/db.ts';

/** What becomes of one write. */
export type Fate =
  | 'works'
  /** It never reached the database. */
  | 'is lost'
  /** The database gave it up: it took too long, or somebody wished so. */
  | 'is canceled'
  /** The database cannot read what it would change: a page of it is damaged. */
  | 'meets damage'
  /** The database finds it wrong: a bug of ours. */
  | 'is refused'
  /** It happened, and the answer was lost. */
  | 'happens unheard';

export interface FailingDatabase extends Database {
  /** The fates of the writes to come, in order; after them all work. */
  fates: Fate[];
  /** Writes so far. */
  readonly writes: number;
}

/** The same database over a connection that breaks as the test says. */
export function failing(database: Database): FailingDatabase {
  let writes = 0;
  let fates: Fate[] = [];
  const meet = async <T>(write: () => Promise<T>): Promise<T> => {
    writes++;
    const fate = fates.shift() ?? 'works';
    if (fate === 'is lost') throw connectionLost();
    if (fate === 'is canceled') throw statementCanceled();
    if (fate === 'meets damage') throw pageDamaged();
    if (fate === 'is refused') throw new Error('new row violates a constraint');
    const result = await write();
    if (fate === 'happens unheard') throw connectionLost();
    return result;
  };
  return {
    get fates() {
      return fates;
    },
    set fates(coming) {
      fates = [...coming];
    },
    get writes() {
      return writes;
    },
    engine: database.engine,
    kysely: database.kysely,
    runChain: (chain, params) => meet(() => database.runChain(chain, params)),
    transaction: (work) => meet(() => database.transaction(work)),
    snapshot: (work) => database.snapshot(work),
    watchRevisions: (listener) => database.watchRevisions(listener),
    noticeChanges: () => database.noticeChanges(),
    close: () => database.close(),
  };
}

/** As PostgreSQL reports it. */
function statementCanceled(): Error {
  return Object.assign(new Error('canceling statement due to user request'), { code: '57014' });
}

/** As the PostgreSQL driver reports it. */
function connectionLost(): Error {
  return Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });
}

function pageDamaged(): Error {
  const message = 'invalid page in block 3 of relation base/16384/16412';
  return Object.assign(new Error(message), { code: 'XX001' });
}
