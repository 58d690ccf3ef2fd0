/** The ways in which an image service misbehaves, in seven families. */
import {
  base64,
  delivered,
  events,
  firstEvent,
  json,
  kib,
  list,
  mended,
  patchedJson,
  picture,
  said,
  streamed,
  withHeaders,
  withRaw,
} from './answer-plans.ts';
import type { Plan } from './hostile-upstream.ts';
import { type Row, transport } from './upstream-transport.ts';

export interface UpstreamKind {
  family: 'transport' | 'status' | 'echo' | 'body' | 'stream' | 'redirect' | 'headers';
  name: string;
  /** Null where either is right: a picture for its price, or an error for nothing. */
  gives: Row[0];
  plan: Plan;
  /** Made for a streamed answer. */
  isStream?: boolean;
}

/** What an answer carries that nobody but the operator may see. */
export const upstreamCanary = 'canary-5B8-internal.example';

const statuses = [
  201, 202, 204, 206, 300, 304, 400, 401, 402, 403, 404, 405, 408, 409, 410, 413, 418, 422, 429,
  451, 499, 500, 501, 502, 503, 504, 520, 529, 599,
];
const errorBody = JSON.stringify({
  error: {
    message: `the account at ${upstreamCanary} is empty`,
    type: 'insufficient_quota',
    code: 'insufficient_quota',
  },
});

const status: Rows = [
  ...statuses
    .filter((code) => code >= 400)
    .map((code): Row => ['error', `${code} in JSON`, said(errorBody, code)]),
  ...statuses
    .filter((code) => code < 400)
    .map((code): Row => ['error', `${code} in JSON`, said(errorBody, code)]),
  [
    'error',
    '502 as a web page',
    said(`<h1>${upstreamCanary}</h1>`, 502, { 'content-type': 'text/html' }),
  ],
  [
    'error',
    '200 as a web page',
    said(`<h1>${upstreamCanary}</h1>`, 200, { 'content-type': 'text/html' }),
  ],
  ['error', '500 of 20 MiB', (right) => said(Buffer.alloc(20 * kib ** 2, 'A'), 500)(right)],
  ['error', '429 for ten years', said(errorBody, 429, { ...json, 'retry-after': '315360000' })],
  [
    'error',
    '429 until the year 2199',
    said(errorBody, 429, { ...json, 'retry-after': 'Fri, 31 Dec 2199 23:59:59 GMT' }),
  ],
  ['error', '429 for nonsense', said(errorBody, 429, { ...json, 'retry-after': '-1e400, soon' })],
  ['error', 'an error that is a text', said('{"error":"no"}', 400)],
  ['error', 'an error that is a list', said('[{"error":[1]}]', 400)],
  [
    'error',
    'an error with a code of an object',
    said('{"error":{"code":{"a":1},"message":[]}}', 400),
  ],
  ['error', 'an error with status 200', said(errorBody)],
  ['error', 'status 999', withRaw(() => 'HTTP/1.1 999 Odd\r\ncontent-length: 0\r\n\r\n')],
  ['error', 'status 0', withRaw(() => 'HTTP/1.1 000 Odd\r\ncontent-length: 0\r\n\r\n')],
];

const echoes: readonly (readonly [string, string])[] = [
  ['the host', upstreamCanary],
  ['markup', `<script>${upstreamCanary}</script>`],
  [
    'line breaks',
    `a\r\n\r\nevent: image_generation.completed\r\ndata: {"x":"${upstreamCanary}"}\r\n\r\n`,
  ],
  ['separators of lines', `\u2028\u2029\u0085${upstreamCanary}`],
  ['a NUL', `\0${upstreamCanary}`],
  ['a lone surrogate', `\ud800${upstreamCanary}`],
];

const echo: Rows = echoes.flatMap(([what, text]): Row[] => [
  [
    'error',
    `${what} in a refusal`,
    said(JSON.stringify({ error: { message: text, code: 'moderation_blocked' } }), 400),
  ],
  [
    'error',
    `${what} in a failure`,
    said(JSON.stringify({ error: { message: text, code: text, type: text, param: text } }), 500),
  ],
]);

const body: Rows = [
  ...(
    [
      ['nothing', ''],
      ['null', 'null'],
      ['a number', '17'],
      ['an empty object', '{}'],
      ['an empty list', '[]'],
      ['a text', '"picture"'],
      ['half of JSON', '{"data":[{"b64_json":"iVBOR'],
      ['JSON and a rest', '{"data":[]}garbage'],
      ['JSON in UTF-16', Buffer.from('{"data":[]}', 'utf16le')],
      ['broken UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
      ['data that are null', '{"data":null}'],
      ['data that are an object', '{"data":{"b64_json":"AAAA"}}'],
      ['data that are a number', '{"data":[1]}'],
      ['1,000,000 levels', `{"data":${'['.repeat(1_000_000)}`],
      ['500,000 members', `{${Array.from({ length: 500_000 }, (_, n) => `"${n}":1`).join(',')}}`],
      ['a number of a million digits', `{"created":${'9'.repeat(1_000_000)},"data":[]}`],
      ['a key of a MiB', `{"${'k'.repeat(kib ** 2)}":1}`],
      ['a prototype', '{"__proto__":{"data":[{"b64_json":"AAAA"}]}}'],
      ['a length that is none', '{"data":{"length":1e9}}'],
    ] as const
  ).map(([what, text]): Row => ['error', what, said(text)]),
  ...(
    [
      ['not base64', { b64_json: '!!!! not base64 !!!!' }],
      ['empty base64', { b64_json: '' }],
      ['base64 of a number', { b64_json: 17 }],
      ['a list of base64', { b64_json: ['AAAA'] }],
      ['a web page as a picture', { b64_json: base64('<html><script>1</script></html>') }],
      ['an SVG as a picture', { b64_json: base64('<svg xmlns="http://www.w3.org/2000/svg"/>') }],
      ['a data URL of text', { url: 'data:text/html,<h1>1</h1>' }],
      ['an address on this machine', { url: 'http://127.0.0.1:1/a.png' }],
      ['an address of metadata', { url: 'http://169.254.169.254/latest/meta-data' }],
      ['an address of a file', { url: 'file:///etc/passwd' }],
      ['an address that is none', { url: 'http://[::' }],
      ['an address of an object', { url: { a: 1 } }],
      ['48 MiB that are no picture', { b64_json: 'A'.repeat(48 * kib ** 2) }],
      ['80 MiB that are no picture', { b64_json: 'A'.repeat(80 * kib ** 2) }],
    ] as const
  ).map(([what, data]): Row => ['error', what, picture(data)]),
  [
    null,
    'three pictures',
    patchedJson((value) => ({
      ...value,
      data: [...list(value['data']), ...list(value['data']), ...list(value['data'])],
    })),
  ],
  [
    'picture',
    'usage below zero',
    patchedJson((value) => ({
      ...value,
      usage: { total_tokens: -5, input_tokens: -1, output_tokens: 1e300 },
    })),
  ],
  ['picture', 'usage of words', patchedJson((value) => ({ ...value, usage: 'much' }))],
  [
    null,
    'a size of words',
    patchedJson((value) => ({ ...value, size: '<b>', quality: 5, created: 'now', background: {} })),
  ],
  ['picture', 'members nobody knows', patchedJson((value) => ({ ...value, x: { y: [1, 2, 3] } }))],
];

const stream: Rows = [
  ['error', 'an end without an end', events((all) => all.slice(0, -1))],
  ['error', 'comments only', streamed(': a\n\n'.repeat(1_000))],
  ['error', 'nothing', streamed('')],
  ['error', 'an error first', streamed('event: error\ndata: {"error":{"message":"no"}}\n\n')],
  [
    'error',
    'an error after a partial image',
    events(([first = '']) => [
      first,
      'event: error\ndata: {"type":"error","error":{"code":"server_error"}}',
    ]),
  ],
  ['error', 'words instead of JSON', streamed('data: sorry\n\n')],
  [
    'error',
    'a completed event without a picture',
    streamed('data: {"type":"image_generation.completed"}\n\n'),
  ],
  [
    'error',
    'an endless event',
    (right) => ({
      ...firstEvent(right),
      delivery: { kind: 'endless', filling: Buffer.from(`: ${'-'.repeat(64 * kib)}\n`) },
    }),
  ],
  ['error', 'silence after a partial image', delivered({ kind: 'stall', share: 0.4 })],
  ['error', 'a reset after a partial image', delivered({ kind: 'cut', share: 0.4, how: 'reset' })],
  ['picture', 'two ends', events((all) => [...all, all.at(-1) ?? ''])],
  ['picture', 'junk after the end', events((all) => [...all, 'data: junk', 'garbage'])],
  ['picture', 'CRLF', mended((text) => text.replaceAll('\n', '\r\n'))],
  ['picture', 'CR', mended((text) => text.replaceAll('\n', '\r'))],
  ['picture', 'a byte order mark', mended((text) => `\ufeff${text}`)],
  ['picture', 'comments between', mended((text) => text.replaceAll('\n\n', '\n\n: ping\n\n'))],
  ['picture', 'no names of events', mended((text) => text.replaceAll(/^event: .*\n/gm, ''))],
  ['picture', 'one byte at a time', delivered({ kind: 'drip', bytes: 1 })],
  ['picture', 'no empty line at the end', mended((text) => text.replace(/\n\n$/, '\n'))],
  [
    'picture',
    'ids and pauses',
    mended((text) => text.replaceAll('event:', 'id: 1\nretry: 9\nevent:')),
  ],
  [
    null,
    'a hundred partial images',
    events(([first = '', ...rest]) => [...Array<string>(100).fill(first), ...rest]),
  ],
  [
    null,
    'partial images that are none',
    mended((text) => text.replace(/"b64_json":"[^"]*"/, '"b64_json":"<script>"')),
  ],
];

const redirect: Rows = [301, 302, 303, 307, 308].flatMap((code): Row[] => [
  ['error', `${code} to elsewhere`, said('', code, { location: `http://${upstreamCanary}/` })],
  ['error', `${code} to this machine`, said('', code, { location: 'http://127.0.0.1:1/' })],
  ['error', `${code} in circles`, said('', code, { location: '/v1/images/generations' })],
]);

const headers: Rows = (
  [
    ['set-cookie', `a=${upstreamCanary}`],
    ['access-control-allow-origin', `https://${upstreamCanary}`],
    ['content-security-policy', `default-src ${upstreamCanary}`],
    ['x-request-id', upstreamCanary],
    ['x-tintype-cost', upstreamCanary],
    ['server', upstreamCanary],
    ['location', `https://${upstreamCanary}`],
    ['content-disposition', `attachment; filename="${upstreamCanary}"`],
    ['strict-transport-security', `max-age=0; ${upstreamCanary}`],
  ] as const
).map((header): Row => ['picture', header[0], withHeaders(header)]);

export const upstreamKinds: readonly UpstreamKind[] = [
  ...kindsOf('transport', transport),
  ...kindsOf('status', status),
  ...kindsOf('echo', echo),
  ...kindsOf('body', body),
  ...kindsOf('stream', stream),
  ...kindsOf('redirect', redirect),
  ...kindsOf('headers', headers),
];
type Rows = readonly Row[];

function kindsOf(family: UpstreamKind['family'], rows: Rows): UpstreamKind[] {
  const isStream = family === 'stream';
  return rows.map(([gives, name, plan]) => ({ family, name, gives, plan, isStream }));
}
