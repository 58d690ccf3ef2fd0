/** What only one place may do: the environment, time, the network, statuses, money. */
import { pages } from '../../shared/console/pages.ts';
import { type Finding, findAll, type Rule } from './rule.ts';
import { isTest, type SourceTree } from './source-tree.ts';

/** Of the addresses of all pages, what stands between the first two slashes. */
const pageBeginnings = [...new Set(Object.values(pages).map((page) => page.split('/')[1]))]
  .filter((beginning) => beginning !== '')
  .join('|');

export const boundaryRules: readonly Rule[] = [
  {
    name: 'only config.ts reads the environment',
    check: (tree) =>
      findAll(shipped(tree, 'server/', 'shared/', 'web/'), 'codeOnly', /\bprocess\.env\b/g),
    exceptions: {
      'server/config.ts': 'this is the place',
      'web/build/main.ts': 'tells React to build for production',
    },
    broken: { 'server/cli/serve/serve.ts': `const port = process.env['PORT'];` },
    kept: { 'server/cli/serve/serve.ts': `// process.env is read in config.ts` },
  },
  {
    name: 'time comes only from the clock',
    check: (tree) =>
      findAll(
        shipped(tree, 'server/', 'shared/'),
        'codeOnly',
        /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bprocess\.hrtime\b|\bAbortSignal\.timeout\b|(?<![.\w])set(?:Timeout|Interval)\b/g,
      ),
    exceptions: {
      'server/lib/clock.ts': 'this is the place',
      'server/db/sqlite/group-commit.ts': 'naps while another process holds the write lock',
      'server/db/sqlite/sqlite.ts': 'polls for changes of other processes',
      'server/db/postgres/postgres.ts': 'polls for changes where a notification was lost',
    },
    broken: {
      'server/flows/money/sweep-holds.ts': `setInterval(sweep, 1000);`,
      'server/lib/ids.ts': `const now = Date.now();`,
    },
    kept: { 'server/flows/money/sweep-holds.ts': `await clock.sleep(sweepEveryMs);` },
  },
  {
    name: 'only the guarded transports of lib open outgoing connections',
    check: (tree) => findOutgoingConnections(shipped(tree, 'server/', 'shared/')),
    exceptions: {
      'server/lib/outgoing/safe-fetch-requests.ts': 'this is the place for URLs of callers',
      'server/lib/outgoing/guarded-connect.ts': 'the guard of both',
      'server/lib/outgoing/guarded-http-dispatch.ts': 'this is the place for upstreams',
      'server/lib/outgoing/guarded-http-exchange.ts': 'the same',
      'server/lib/outgoing/guarded-http-socket.ts': 'the same',
      'server/lib/outgoing/http1-connection.ts': "the same, to the service's own origins only",
      'server/lib/mailer.ts': "speaks SMTP, to the operator's own mail server only",
      'server/cli/demo/demo-picture.ts':
        'the demo is a client of the service that it has just started',
    },
    broken: {
      'server/upstreams/comfyui/adapter.ts': `const answer = await fetch(url);`,
      'server/lib/probe.ts': `import { Agent } from 'undici';`,
      'server/upstreams/a1111/adapter.ts': `import { FormData } from 'undici';`,
      'server/http/server.ts': `net.connect(port);`,
    },
    kept: {
      'server/upstreams/comfyui/adapter.ts': `const answer = await this.#http.fetch(url);`,
      'server/upstreams/comfyui/watch.ts': `import type { WebSocket } from 'undici';`,
      'server/upstreams/ai-sdk/transport.ts': `export type Fetch = typeof globalThis.fetch;`,
    },
  },
  {
    name: 'the library of Stripe is loaded when it is needed, never with the service',
    check: (tree) =>
      findAll(
        shipped(tree, 'server/', 'shared/', 'web/'),
        'withoutComments',
        /^import (?!type ).*from 'stripe'/gm,
      ),
    broken: { 'server/app.ts': `import { Stripe } from 'stripe';` },
    kept: {
      'server/app.ts': `import type { Stripe } from 'stripe';`,
      'server/payments/stripe-gateway.ts': `const { Stripe } = await import('stripe');`,
    },
  },
  {
    name: "values of Node's HTTP module come through lib/node-http.ts",
    check: (tree) =>
      findAll(
        shipped(tree, 'server/', 'shared/'),
        'withoutComments',
        /^import (?!type )(?!\{(?: type \w+,?)+ \}).*from 'node:https?'|\bgetBuiltinModule\b/gm,
      ),
    exceptions: { 'server/lib/node-http.ts': 'this is the place' },
    broken: {
      'server/http/connections/listen.ts': `import { STATUS_CODES, type Server } from 'node:http';`,
      'server/http/server.ts': `import https from 'node:https';`,
      'server/lib/probe.ts': `process.getBuiltinModule('node:http').get(url);`,
    },
    kept: {
      'server/http/connections/listen.ts': `import type { Server } from 'node:http';`,
    },
  },
  {
    name: 'only http/errors.ts knows error statuses',
    check: (tree) =>
      findAll(
        shipped(tree, 'server/'),
        'codeOnly',
        /\.(?:code|status)\(\s*[45]\d\d\b|\bstatusCode\s*[:=]\s*[45]\d\d\b|\bwriteHead\(\s*[45]\d\d\b/g,
      ),
    exceptions: {},
    broken: { 'server/http/v1/models.ts': `reply.code(404).send();` },
    kept: { 'server/http/v1/models.ts': `if (error.code === '40401') reply.code(200);` },
  },
  {
    name: 'addresses of pages are written in paths.ts only',
    check: (tree) =>
      findAll(
        shipped(tree, 'web/').filter(({ path }) => !/^web\/(api|build|jobs)\//.test(path)),
        'withoutComments',
        new RegExp(`(?<=['"\`])/(?:${pageBeginnings})\\b(?![^'"\`]*\\.csv)[^'"\`]*`, 'g'),
      ),
    broken: {
      'web/pages/user/usage-page.tsx': `<Link to="/wallet">`,
      'web/shell/user-menu.tsx': 'location.assign(`/logout?next=${next}`)',
    },
    kept: {
      'web/pages/user/usage-page.tsx': `<Link to={paths.wallet()}>`,
      'web/api/wallet.ts': `api.get('/wallet')`,
    },
  },
  {
    name: 'what the console asks of the service is in web/api/, and in web/jobs/ what runs apart from pages',
    check: (tree) =>
      findAll(
        shipped(tree, 'web/').filter(({ path }) => !/^web\/(api|jobs)\//.test(path)),
        'codeOnly',
        /\bapi\.(?:get|post|put|patch|delete)\b/g,
      ),
    broken: { 'web/pages/user/wallet-page.tsx': `queryFn: () => api.get('/wallet')` },
    kept: { 'web/api/wallet.ts': `queryFn: () => api.get('/wallet')` },
  },
  {
    name: 'only wallets writes wallets, holds and transactions',
    check: (tree) => findWrites(shipped(tree, 'server/'), 'wallets|holds|wallet_transactions'),
    exceptions: {
      'server/wallets/': 'this is the place',
    },
    broken: {
      'server/flows/top-up.ts': `await trx.kysely.updateTable('wallets').set({ balance });`,
      'server/usage/record-store.ts': `insertWhen(hold, 'wallet_transactions', {})`,
      'server/flows/money/sweep-holds.ts': 'sql`delete from holds where state = 1`',
    },
    kept: { 'server/usage/summary.ts': `db.kysely.selectFrom('holds')` },
  },
  {
    name: 'a transaction is never updated or deleted',
    check: (tree) =>
      findAll(
        shipped(tree, 'server/'),
        'withoutComments',
        /(?:updateTable|deleteFrom)\(\s*['"]wallet_transactions|(?:update|delete from)\s+wallet_transactions/gi,
      ),
    exceptions: {
      'server/wallets/erase-text-store.ts':
        'takes the words of a person whose data is erased, and touches no amount, order or time',
    },
    broken: {
      'server/wallets/transaction-store.ts': `trx.kysely.deleteFrom('wallet_transactions')`,
    },
    kept: { 'server/wallets/transaction-store.ts': `trx.kysely.insertInto('wallet_transactions')` },
  },
];

function shipped(tree: SourceTree, ...prefixes: string[]): SourceTree {
  return tree.filter(
    ({ path }) => !isTest(path) && prefixes.some((prefix) => path.startsWith(prefix)),
  );
}

function findOutgoingConnections(files: SourceTree): Finding[] {
  const calls =
    /(?<![.\w$])fetch\(|(?<!\btypeof )\bglobalThis\.fetch\b|\bhttps?\.(?:request|get)\(|\b(?:net|tls)\.(?:connect|createConnection)\(|\bnew (?:WebSocket|EventSource)\(/g;
  const imports = files.flatMap(({ path, codeOnly, imports: list }) =>
    list
      .filter(({ specifier }) =>
        /^(undici|nodemailer|node:https|node:http2|node:tls)$/.test(specifier),
      )
      // A type opens nothing.
      .filter(({ line }) => !codeOnly.split('\n')[line - 1]?.startsWith('import type '))
      .map(({ line, specifier }) => ({ path, line, what: `imports ${specifier}` })),
  );
  return [...findAll(files, 'codeOnly', calls), ...imports];
}

/** Writes by query builder, by chain and by plain SQL; migrations make the tables and may do so. */
function findWrites(files: SourceTree, tables: string): Finding[] {
  const pattern = new RegExp(
    `(?:insertInto|updateTable|deleteFrom|replaceInto|mergeInto)\\(\\s*['"](?:${tables})['"]` +
      `|insertWhen\\([^,()]*,\\s*['"](?:${tables})['"]` +
      `|(?:insert into|update|delete from)\\s+(?:${tables})\\b`,
    'gi',
  );
  const outsideMigrations = files.filter(({ path }) => !path.startsWith('server/db/migrations/'));
  return findAll(outsideMigrations, 'withoutComments', pattern);
}
