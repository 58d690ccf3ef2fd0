import { type Finding, findAll, type Rule } from './rule.ts';
import { isCode, lineAt, type SourceTree } from './source-tree.ts';

/** Words that mean something else elsewhere, and our word for it: see the vocabulary in ARCHITECTURE.md. */
const foreignWords: Readonly<Record<string, string>> = {
  token: 'API key',
  escrow: 'hold',
  reservation: 'hold',
  preauth: 'hold',
  provider: 'upstream',
  channel: 'upstream',
  quota: 'balance',
  credit: 'amount',
  correlation: 'trace ID',
  tenant: 'user',
  customer: 'user',
};

/** Where a foreign word is the right one, because it names another thing there. */
const wordExceptions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  token: {
    'web/pages/user/account/': 'personal access tokens, which are no API keys',
    'web/i18n/en/account.ts': 'personal access tokens, which are no API keys',
    'web/i18n/zh-CN/account.ts': 'personal access tokens, which are no API keys',
    'web/api/account.ts': 'the same',
    'server/upstreams/': 'what language models count',
    'server/flows/': 'the same, on the way to the answer',
    'server/http/v1/': 'the same, in the answer',
    'shared/api/': 'the same, on the wire',
    'server/identity/':
      'an access token of the console; what OpenID and authenticators call theirs',
    'server/http/console/': 'an access token of the console',
    'server/http/openapi.ts': 'the same, as a way to authenticate',
    'server/db/': 'the same, where it is stored',
    'shared/console/': 'the same, on the wire',
  },
  provider: {
    'server/payments/': 'who takes payments: Stripe and others',
    'server/flows/': 'the same',
    'server/http/console/': 'the same',
    'server/cli/commands/payments.ts': 'the same',
    'server/db/payment-schema.ts': 'the same, where it is stored',
    'shared/console/payments.ts': 'the same, on the wire',
    'web/': "React's name for what hands a value down",
    'server/telemetry/tracer.ts': "OpenTelemetry's name for what makes tracers",
    'server/db/migrate.ts': "Kysely's name for the source of migrations",
    'server/upstreams/ai-sdk/': "the AI SDK's name for a service, in its fields and the setting",
  },
  channel: {
    'web/lib/broadcast.ts': "the browser's name for what connects tabs",
    'web/mask/': 'red, green, blue, alpha',
    'server/db/': "PostgreSQL's name for where notifications go",
    'server/upstreams/': 'red, green, blue, alpha',
    'server/images/': 'red, green, blue, alpha',
  },
  quota: {
    'web/': "part of the error code, and the browser's name for how much a page may store",
    'shared/console/': 'part of the error code insufficient_quota',
    'server/upstreams/': 'a fault: the account with the upstream is out of money',
    'server/http/errors.ts': 'part of the error code insufficient_quota',
  },
  credit: {
    'server/flows/': 'to add what was paid to a wallet',
    'server/upstreams/': 'what services call the money of an account, in their error codes',
  },
};

export const namingRules: readonly Rule[] = [
  {
    name: 'file names are kebab-case',
    check: (tree) =>
      tree
        .filter(({ path }) => /^(server|shared|web|test|bench|bin|docs)\//.test(path))
        .filter(({ path }) => !/(^|\/)fixtures\//.test(path))
        .filter(({ path }) => !path.split('/').every(isPlainName))
        .map(({ path }) => ({ path, line: 1, what: 'is not kebab-case' })),
    broken: { 'server/lib/safeFetch.ts': '' },
    kept: { 'server/db/migrations/0001-initial.ts': '', 'server/wallets/README.md': '' },
  },
  {
    name: 'no barrel and no drawer: a file is named after its one thing',
    check: (tree) =>
      tree
        .filter(({ path }) => /(^|\/)(index|utils?|helpers?|common|misc|types)\.tsx?$/.test(path))
        .map(({ path }) => ({ path, line: 1, what: 'says nothing about its content' })),
    broken: { 'server/lib/utils.ts': '', 'server/wallets/index.ts': '' },
    kept: { 'server/lib/ids.ts': '' },
  },
  {
    name: 'the code uses the words of the vocabulary',
    check: (tree) => findForeignWords(tree.filter(({ path }) => isVocabularyBound(path))),
    broken: {
      'server/accounts/api-key.ts': `export function makeToken() {}`,
      'server/flows/top-up.ts': `const quota_left = 1;`,
    },
    kept: {
      'server/accounts/api-key.ts': `const header = 'Bearer token'; // a token`,
      'server/http/errors.ts': `const statuses = { insufficient_quota: 429 };`,
    },
  },
  {
    name: 'a request has one identifier, the trace ID',
    check: (tree) =>
      findAll(
        tree.filter(({ path }) => isVocabularyBound(path)),
        'codeOnly',
        /(?<![\w$])(?:requestId|request_id|correlationId)\b/g,
      ),
    broken: { 'server/http/server.ts': `const requestId = makeId();` },
    kept: { 'server/upstreams/upstream.ts': `upstreamRequestId: string;` },
  },
];

function isPlainName(name: string): boolean {
  // Languages are written as browsers write them.
  return /^(README\.md|zh-CN|[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)*)$/.test(name);
}

function isVocabularyBound(path: string): boolean {
  return isCode(path) && /^(server|shared|web)\//.test(path) && !/\.test\.tsx?$/.test(path);
}

function findForeignWords(files: SourceTree): Finding[] {
  return files.flatMap(({ path, codeOnly }) =>
    [...codeOnly.matchAll(/[A-Za-z_$][\w$]*/g)].flatMap((match) =>
      wordsOf(match[0])
        .filter((word) => Object.hasOwn(foreignWords, word) && !isAllowed(word, path))
        .map((word) => ({
          path,
          line: lineAt(codeOnly, match.index),
          what: `${match[0]}: we say ${foreignWords[word]}`,
        })),
    ),
  );
}

/** `insufficient_quota` → insufficient, quota; `apiKeyId` → api, key, id; plurals lose their s. */
function wordsOf(identifier: string): string[] {
  return identifier
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_$]+/)
    .map((word) => word.replace(/s$/, ''));
}

function isAllowed(word: string, path: string): boolean {
  return Object.keys(wordExceptions[word] ?? {}).some((place) => path.startsWith(place));
}
