/** The start options of the database: rows of the table in `config.ts`. */
import { duration, integer, optional, urlWithPassword } from '../lib/option-types.ts';
import { defineOption } from '../lib/options.ts';

export const databaseOptions = {
  databaseUrl: defineOption({
    variable: 'DATABASE_URL',
    type: optional(urlWithPassword('postgres://user:password@host/database', isPostgresUrl)),
    default: null,
    secret: true,
    meaning: 'PostgreSQL to use; without it, the embedded database.',
  }),
  databaseConnectionsMax: defineOption({
    variable: 'TINTYPE_DATABASE_CONNECTIONS',
    type: integer({ min: 1, max: 1_000 }),
    default: 10,
    meaning:
      'PostgreSQL connections of one process, and as many again for what the console reads. Those not used for 5 minutes are closed.',
  }),
  databaseConnectTimeoutMs: defineOption({
    variable: 'TINTYPE_DATABASE_CONNECT_TIMEOUT',
    type: duration({ min: '100ms', max: '5m' }),
    default: 5_000,
    meaning:
      'How long a request waits for a database connection, and for the answer to each of its writes.',
  }),
  databaseReadTimeoutMs: defineOption({
    variable: 'TINTYPE_DATABASE_READ_TIMEOUT',
    type: duration({ min: '1s', max: '10m' }),
    default: 30_000,
    meaning:
      'How long PostgreSQL may take for a statement with which the console reads; then it is canceled.',
  }),
};

function isPostgresUrl(url: string): boolean {
  return ['postgres:', 'postgresql:'].includes(URL.parse(url)?.protocol ?? '');
}
