/** Lists as files, for spreadsheets: all that match, or an error; never a part that looks whole. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { csvRowsMax } from '../../../shared/console/csv-limits.ts';
import type { Database, Db } from '../../db/db.ts';
import type { CalendarRange } from '../../lib/calendar-range.ts';
import type { Clock } from '../../lib/clock.ts';
import { type CsvColumn, csvHeader, csvRow } from '../../lib/csv.ts';
import type { Logger } from '../../lib/logger.ts';
import { invalidRequest, ServiceError } from '../../lib/service-error.ts';
import type { TurnedPage } from '../../lib/turned-page.ts';
import { headersOf, takeOver } from '../connections/take-over.ts';

export const csvLimits = {
  rowsMax: csvRowsMax,
  /** Each holds a snapshot of the database open. */
  atOnceMax: 4,
  /** Of them, for one user: nobody takes the places of all others. */
  atOncePerUserMax: 1,
  /** For taking what lies ready; who has not by then is let go. */
  takeMsMax: 30_000,
  /** After it the snapshot is given up, however steadily the client reads. */
  durationMsMax: 10 * 60_000,
} as const;

/** Small enough that turning one into text keeps no other request waiting. */
const pageRowsMax = 500;

export interface CsvExport<T> {
  /** Without the range and the ending. */
  name: string;
  /** Whom it is written for. */
  userId: string;
  range: CalendarRange;
  columns: readonly CsvColumn<T>[];
  /** Begins to read, from the state of the database in which all of it is read. */
  open: (db: Db) => Promise<CsvSource<T>>;
}

export interface CsvSource<T> {
  /** How many there are. */
  rows: number;
  /** @param place null begins */
  readPage: (page: { place: string | null; limit: number }) => Promise<CsvPage<T>>;
}

export interface CsvPage<T> {
  rows: readonly T[];
  /** Where the next page begins; null when this is the last. */
  next: TurnedPage<T>['older'];
}

interface CsvDeps {
  database: Database;
  clock: Clock;
  log: Logger;
}

/**
 * Streams the file from one state of the database. `x-tintype-rows` says beforehand how many rows it
 * has; if they do not come out as many, the connection is broken off, so that no browser takes the
 * file for a whole one.
 */
export async function answerWithCsv<T>(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  file: CsvExport<T>,
  deps: CsvDeps,
): Promise<never> {
  const whole = await oneOfFew(deps.database, file.userId, () =>
    deps.database.snapshot(async (db) => {
      const source = await file.open(db);
      refuseTooMany(source.rows);
      const response = begin(reply, file, source.rows);
      const isWhole =
        request.method === 'HEAD' ||
        (await writeWithin(response, { ...source, ...file }, { request, deps }));
      return isWhole ? response : null;
    }),
  ).catch((error: unknown) => {
    // What was begun before is no whole file.
    if (reply.raw.headersSent) reply.raw.destroy();
    throw error;
  });
  // Only now, so that whoever has the file may ask for the next one.
  whole?.end();
  // The answer is out; nothing else is sent.
  return undefined as never;
}

function refuseTooMany(rows: number): void {
  if (rows <= csvLimits.rowsMax) return;
  throw invalidRequest(
    'range',
    `The file would have ${rows} rows; at most ${csvLimits.rowsMax} are written. Choose a shorter range or more filters.`,
  );
}

/** For whom files are being written. */
const underWay = new WeakMap<Database, readonly string[]>();

async function oneOfFew<T>(database: Database, userId: string, work: () => Promise<T>): Promise<T> {
  const others = underWay.get(database) ?? [];
  if (others.length >= csvLimits.atOnceMax) {
    throw tooMany('Too many files are being written. Try again.');
  }
  if (others.filter((other) => other === userId).length >= csvLimits.atOncePerUserMax) {
    throw tooMany('Another file is being written for you. Try again when you have it.');
  }
  underWay.set(database, [...others, userId]);
  try {
    return await work();
  } finally {
    const present = underWay.get(database) ?? [];
    underWay.set(database, present.toSpliced(present.indexOf(userId), 1));
  }
}

function tooMany(message: string): ServiceError {
  return new ServiceError('rate_limit', message, { retryAfterSeconds: 10 });
}

function begin<T>(
  reply: FastifyReply,
  { name, range }: CsvExport<T>,
  rows: number,
): ServerResponse {
  const zone = range.zone.replace(/[^\w+-]+/g, '-');
  const days = range.fromDay === range.toDay ? [range.fromDay] : [range.fromDay, range.toDay];
  const fileName = [name, ...days, zone].join('_');
  const response = takeOver(reply);
  response.writeHead(200, {
    ...headersOf(reply),
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${fileName}.csv"`,
    'x-tintype-rows': rows,
    'x-accel-buffering': 'no',
  });
  return response;
}

type Writing<T> = Pick<CsvExport<T>, 'columns'> & CsvSource<T>;

/** Answers whether all of it was written; where not, the connection is broken off. */
async function writeWithin<T>(
  response: ServerResponse,
  writing: Writing<T>,
  { request, deps: { clock, log } }: { request: FastifyRequest; deps: CsvDeps },
): Promise<boolean> {
  const done = new AbortController();
  clock.sleep(csvLimits.durationMsMax, done.signal).then(
    () => response.destroy(),
    // Written in time.
    () => undefined,
  );
  try {
    const written = await write(response, writing, clock);
    if (written === writing.rows) return true;
  } catch (error) {
    // Its status is out already: all that can be said is that the file is not whole.
    log.error({ trace_id: request.id, err: error }, 'a file could not be written');
  } finally {
    done.abort();
  }
  response.destroy();
  return false;
}

/** Answers how many rows were written. A file begins with a mark by which spreadsheets see UTF-8. */
async function write<T>(
  response: ServerResponse,
  { columns, readPage }: Writing<T>,
  clock: Clock,
): Promise<number> {
  response.write(`\uFEFF${csvHeader(columns)}`);
  let written = 0;
  let place: string | null = null;
  do {
    const page: CsvPage<T> = await readPage({ place, limit: pageRowsMax });
    const hasRoom = response.write(page.rows.map((row) => csvRow(row, columns)).join(''));
    written += page.rows.length;
    place = page.next;
    if (!hasRoom) await roomIn(response, clock);
  } while (place !== null && !response.destroyed);
  return written;
}

async function roomIn(response: ServerResponse, clock: Clock): Promise<void> {
  if (response.destroyed) return;
  const settled = new AbortController();
  const { signal } = settled;
  const events = [
    once(response, 'drain', { signal }),
    once(response, 'close', { signal }),
    clock.sleep(csvLimits.takeMsMax, signal).then(() => response.destroy()),
  ];
  try {
    await Promise.race(events);
  } finally {
    for (const event of events) event.catch(() => undefined);
    settled.abort();
  }
}
