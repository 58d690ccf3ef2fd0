/** Chains that PostgreSQL runs as one transaction, sent at once and answered at once. */
import type pg from 'pg';
import { must } from '../../lib/assert.ts';
import type { CompiledStep } from '../chain.ts';

/** A statement that returns rows, with the values of one run. No other statement of the service has its name. */
export interface BoundStatement {
  statement: Pick<CompiledStep, 'name' | 'text'>;
  values: readonly (string | null)[];
}

export type Row = Readonly<Record<string, unknown>>;

/** The first row that a statement returned, or why that cannot be read, although all of it was committed. */
export type GroupAnswer = Row | null | Error;

export type GroupOutcome =
  | { kind: 'committed'; answers: readonly GroupAnswer[] }
  /** The one at `failedAt` failed, or the commit if there is none, so that none has happened. */
  | { kind: 'undone'; error: Error; failedAt: number; isPrepared: boolean }
  /** The connection is lost, or silent: all of them may have happened, or none. */
  | { kind: 'unknown'; error: Error };

/**
 * Sends them, and waits for `timeoutMs` at most. Of a connection on which the outcome is not known, or not all statements
 * are prepared, nobody knows what it would answer next.
 */
export function runGroup(
  client: pg.ClientBase,
  statements: readonly BoundStatement[],
  timeoutMs: number,
): Promise<GroupOutcome> {
  return new Promise((resolve) => {
    client.query(new StatementGroup(client, statements, timeoutMs, resolve));
  });
}

/** How a connection described the columns that a statement returns. */
type Columns = readonly { name: string; read: Read }[];
type Read = (text: string) => unknown;

/** By the statement's name. */
const described = new WeakMap<pg.ClientBase, Map<string, Columns>>();

/**
 * What comes before one Sync of PostgreSQL's extended query protocol is one transaction. The driver's own queries send a
 * Sync each, and have the columns of their rows described each time.
 *
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 */
class StatementGroup implements pg.Submittable {
  // The driver reads these two; it may put a callback around this one.
  readonly query_timeout: number;
  callback: (error: Error | null) => void;
  readonly #client: pg.ClientBase;
  readonly #statements: readonly BoundStatement[];
  readonly #columns: Map<string, Columns>;
  /** Sent to be described, in this order. */
  readonly #undescribed: BoundStatement['statement'][] = [];
  readonly #answers: GroupAnswer[] = [];
  #answer: GroupAnswer = null;
  #connection: pg.Connection | null = null;
  #isUndone = false;

  constructor(
    client: pg.ClientBase,
    statements: readonly BoundStatement[],
    timeoutMs: number,
    onEnd: (outcome: GroupOutcome) => void,
  ) {
    this.#client = client;
    this.#statements = statements;
    this.query_timeout = timeoutMs;
    this.callback = (error) => onEnd(this.#outcome(error));
    this.#columns = described.get(client) ?? new Map<string, Columns>();
    described.set(client, this.#columns);
  }

  submit(connection: pg.Connection): void {
    this.#connection = connection;
    // One write to the socket.
    connection.stream.cork();
    try {
      for (const { statement } of this.#statements) this.#prepare(connection, statement);
      for (const { statement, values } of this.#statements) {
        connection.bind({ statement: statement.name, values: [...values] }, true);
        connection.execute(null, true);
      }
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
  }

  #prepare(connection: pg.Connection, statement: BoundStatement['statement']): void {
    const { name, text } = statement;
    if (this.#columns.has(name) || this.#undescribed.includes(statement)) return;
    connection.parse({ name, text, types: [] }, true);
    connection.describe({ type: 'S', name }, true);
    this.#undescribed.push(statement);
  }

  handleRowDescription({ fields }: { fields: readonly pg.FieldDef[] }): void {
    const { name } = must(this.#undescribed.shift(), 'a statement to be described');
    const columns = fields.map((field) => ({
      name: field.name,
      // Declared as anything; it is a function of the text.
      read: this.#client.getTypeParser(field.dataTypeID, 'text') as Read,
    }));
    this.#columns.set(name, columns);
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    if (this.#answer !== null) return;
    const { statement } = must(this.#statements[this.#answers.length], 'a statement that returns');
    const columns = must(this.#columns.get(statement.name), 'its columns');
    this.#answer = readRow(columns, fields);
  }

  handleCommandComplete(): void {
    this.#answers.push(this.#answer);
    this.#answer = null;
  }

  /** Also where one of them has failed: then the driver has forgotten us, and it is the connection that tells. */
  handleReadyForQuery(): void {
    this.callback(null);
  }

  handleError(error: Error): void {
    // The driver's own: the answer did not come in time, or nothing will.
    if (!('severity' in error)) {
      this.callback(error);
      return;
    }
    // A server that takes another query has undone these. One that closes the connection may have done them.
    const connection = must(this.#connection, 'its connection');
    const tellUndone = () => {
      connection.off('end', tellUnknown);
      this.#isUndone = true;
      this.callback(error);
    };
    const tellUnknown = () => {
      connection.off('readyForQuery', tellUndone);
      this.callback(error);
    };
    connection.once('readyForQuery', tellUndone);
    connection.once('end', tellUnknown);
  }

  #outcome(error: Error | null): GroupOutcome {
    if (!error) return { kind: 'committed', answers: this.#answers };
    if (!this.#isUndone) return { kind: 'unknown', error };
    const isPrepared = this.#undescribed.length === 0;
    return { kind: 'undone', error, failedAt: this.#answers.length, isPrepared };
  }
}

function readRow(columns: Columns, fields: readonly (string | null)[]): Row | Error {
  try {
    return Object.fromEntries(
      columns.map(({ name, read }, index) => {
        const text = fields[index] ?? null;
        return [name, text === null ? null : read(text)];
      }),
    );
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
