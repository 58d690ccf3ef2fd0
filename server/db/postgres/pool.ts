/** The connections to PostgreSQL: how they are opened, for how long they are kept, and which of them are not. */
import type pg from 'pg';
import { integerTooLarge, isOfSession, markUnreached } from '../database-error.ts';
import { openCrowdedPool } from './crowded-pool.ts';
import { postgresDriver } from './driver.ts';

export interface PoolOptions {
  url: string;
  /** Connections of this process, and as many again for snapshots. */
  connectionsMax: number;
  /** How long a request waits for a free connection, for a new one to open, and for a chain. */
  connectTimeoutMs: number;
  /** Called with errors of idle connections and of the notification channel, for the log. */
  onBackgroundError: (error: unknown) => void;
}

/**
 * How long a transaction may wait for its process. A machine that was cut off from the network leaves
 * its transactions open, with their locks, until the server gives them up.
 */
const idleTransactionMsMax = 15_000;

/**
 * How long a connection waits for its next use. A new one has to sign in and to plan every statement anew,
 * which delays what comes after a pause by a tenth of a second.
 */
export const idleConnectionMsMax = 300_000;

/** Silence after which the network is asked whether the server is still there: firewalls forget in minutes. */
export const probeAfterMs = 30_000;

type Terms = Pick<pg.PoolConfig, 'query_timeout' | 'statement_timeout' | 'stream'>;

export function openPool(options: PoolOptions, terms: Terms): pg.Pool {
  const { types } = postgresDriver();
  const pool = openCrowdedPool({
    connectionString: options.url,
    max: options.connectionsMax,
    connectionTimeoutMillis: options.connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: probeAfterMs,
    idleTimeoutMillis: idleConnectionMsMax,
    application_name: 'tintype',
    types: withIntegers(types),
    idle_in_transaction_session_timeout: idleTransactionMsMax,
    ...terms,
    Client: watchedClient(),
  });
  // Without listeners, the loss of a connection would end the process: of an idle one, and of one
  // in a transaction, whose next query reports it.
  pool.on('error', options.onBackgroundError);
  pool.on('connect', (client) => client.on('error', () => {}));
  // Whatever was asked next would wait behind it. Of a server that vanished, the network says so after a quarter of
  // an hour, and the connection that came back last is the first to be lent again.
  pool.on('release', (_error, client) => {
    if (isUnanswered(client) || refusedBySession.has(client)) void client.end();
  });
  return pool;
}

/** Those to which something was refused that a new connection may be allowed. */
const refusedBySession = new WeakSet<pg.ClientBase>();

/** To be called where what was refused last was refused by a limit of the transaction's own: a new one has it, too. */
export function keepConnection(client: pg.ClientBase): void {
  refusedBySession.delete(client);
}

/** The driver's client, which looks at each error of the server before whoever asked for something. */
function watchedClient(): new () => pg.ClientBase {
  const { Client } = postgresDriver();
  return class extends Client {
    constructor(config?: pg.ClientConfig) {
      try {
        super(config);
      } catch (error) {
        // It reads the files that the URL names, for each connection anew.
        if (error instanceof Error) markUnreached(error);
        throw error;
      }
      let isOpen = false;
      this.once('connect', () => {
        isOpen = true;
      });
      this.connection.on('error', (error: Error) => {
        if (!isOpen) markUnreached(error);
      });
      this.connection.on('errorMessage', (error: Error) => {
        if (!isOpen) markUnreached(error);
        else if (isOfSession(error)) refusedBySession.add(this);
      });
    }
  };
}

/** Whether it waits for the answer to a statement that was given up: by a mark of the driver, as of its version 8.23. */
function isUnanswered(client: pg.PoolClient): boolean {
  return 'readyForQuery' in client && client.readyForQuery === false;
}

/** Eight-byte integers arrive as text; ours always fit a number, but for sums of amounts. */
function withIntegers(types: typeof pg.types): pg.CustomTypesConfig {
  return {
    getTypeParser: (oid: number, format?: 'text' | 'binary'): unknown =>
      oid === types.builtins.INT8 && format !== 'binary'
        ? parseSafeInteger
        : types.getTypeParser(oid, format),
  };
}

function parseSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw integerTooLarge(text);
  return value;
}
