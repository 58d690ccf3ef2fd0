/**
 * Runs in a thread of its own: reads the embedded database for whoever asks, one statement at a
 * time. Each session is a connection, so that a transaction of one does not touch another's.
 */
import { parentPort, workerData } from 'node:worker_threads';
import Sqlite, { type Database as SqliteHandle } from 'better-sqlite3';
import { must } from '../../lib/assert.ts';
import type { ReaderAnswer, ReaderAsk } from './reader-talk.ts';

const port = must(parentPort, 'the port of a thread');
// Given by `reader.ts` with the thread.
const { file } = workerData as { file: string };
const sessions = new Map<number, SqliteHandle>();

port.on('message', (ask: ReaderAsk) => port.postMessage(answer(ask)));

function answer(ask: ReaderAsk): ReaderAnswer {
  const { id } = ask;
  try {
    return { id, rows: read(ask) };
  } catch (error) {
    if (error instanceof Sqlite.SqliteError) {
      return { id, failure: { message: error.message, code: error.code } };
    }
    return { id, failure: { message: String(error), code: null } };
  }
}

function read({ session, sql, parameters }: ReaderAsk): unknown[] {
  if (sql === null) {
    sessions.get(session)?.close();
    sessions.delete(session);
    return [];
  }
  const connection = connectionOf(session);
  // A failed read has ended it already; that error is the one to report.
  if (sql === 'rollback' && !connection.inTransaction) return [];
  const statement = connection.prepare(sql);
  if (statement.reader) return statement.all(...parameters);
  statement.run(...parameters);
  return [];
}

function connectionOf(session: number): SqliteHandle {
  const open = sessions.get(session);
  if (open) return open;
  const opened = new Sqlite(file, { readonly: true, fileMustExist: true });
  sessions.set(session, opened);
  return opened;
}
