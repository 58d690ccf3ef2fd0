/**
 * Requests that no client in good order sends, byte by byte: what RFC 9112 calls invalid, and what a
 * proxy in front of the service might read in another way than we do.
 */

const host = 'Host: a\r\n';
const get = 'GET /v1/models HTTP/1.1\r\n';
const post = 'POST /v1/images/generations HTTP/1.1\r\n';

/** What a case that is refused carries, and no answer may repeat. */
export const framingCanary = 'canary-7C3';

/** A request with every header in order, but the ones given; the key is asked for last. */
function with_(...lines: string[]): string {
  return `${get}${host}${lines.map((line) => `${line}\r\n`).join('')}\r\n`;
}

function posted(headers: readonly string[], body: string): string {
  return `${post}${host}${headers.map((line) => `${line}\r\n`).join('')}\r\n${body}`;
}

const chunked = 'Transfer-Encoding: chunked';

/** Where a body ends is in doubt: refused, and nothing behind it on the connection is read. */
export const doubtfulLengths: readonly (readonly [what: string, bytes: string])[] = [
  ['a length and chunks', posted(['Content-Length: 5', chunked], '0\r\n\r\n')],
  ['chunks and a length', posted([chunked, 'Content-Length: 5'], '0\r\n\r\n')],
  ['two lengths that differ', posted(['Content-Length: 5', 'Content-Length: 6'], 'abcde')],
  ['two lengths alike', posted(['Content-Length: 5', 'Content-Length: 5'], 'abcde')],
  ['a list of lengths', posted(['Content-Length: 5, 5'], 'abcde')],
  ['a positive length', posted(['Content-Length: +5'], 'abcde')],
  ['a negative length', posted(['Content-Length: -5'], 'abcde')],
  ['a length in hex', posted(['Content-Length: 0x5'], 'abcde')],
  ['a length with an exponent', posted(['Content-Length: 5e0'], 'abcde')],
  ['a length with a fraction', posted(['Content-Length: 5.0'], 'abcde')],
  ['a length with a space in it', posted(['Content-Length: 5 5'], 'abcde')],
  ['a length with an underscore', posted(['Content-Length: 1_0'], 'abcde')],
  ['an empty length', posted(['Content-Length: '], 'abcde')],
  ['a length in words', posted(['Content-Length: five'], 'abcde')],
  ['a length of 20 digits', posted(['Content-Length: 99999999999999999999'], 'abcde')],
  ['a length of 5,000 digits', posted([`Content-Length: ${'9'.repeat(5_000)}`], 'abcde')],
  ['chunks, then another coding', posted(['Transfer-Encoding: chunked, gzip'], '0\r\n\r\n')],
  ['another coding, then chunks', posted(['Transfer-Encoding: gzip, chunked'], '0\r\n\r\n')],
  ['chunks twice', posted(['Transfer-Encoding: chunked, chunked'], '0\r\n\r\n')],
  ['chunks in two headers', posted([chunked, chunked], '0\r\n\r\n')],
  ['a coding alone', posted(['Transfer-Encoding: gzip'], 'abcde')],
  ['the identity', posted(['Transfer-Encoding: identity'], 'abcde')],
  ['almost chunks', posted(['Transfer-Encoding: xchunked'], '0\r\n\r\n')],
  ['quoted chunks', posted(['Transfer-Encoding: "chunked"'], '0\r\n\r\n')],
  ['chunks with a parameter', posted(['Transfer-Encoding: chunked;a=b'], '0\r\n\r\n')],
  ['chunks behind a vertical tab', posted(['Transfer-Encoding: \x0bchunked'], '0\r\n\r\n')],
  ['no coding at all', posted(['Transfer-Encoding: '], '0\r\n\r\n')],
  [
    'chunks in HTTP/1.0',
    `POST /v1/images/generations HTTP/1.0\r\n${host}${chunked}\r\n\r\n0\r\n\r\n`,
  ],
  ['a space before the colon', posted(['Content-Length : 5'], 'abcde')],
  ['a folded length', posted(['Content-Length:\r\n 5'], 'abcde')],
  ['a folded coding', posted(['Transfer-Encoding:\r\n chunked'], '0\r\n\r\n')],
];

/** Chunks that are none; refused as soon as the key is known, because only then they are read. */
export const brokenChunks: readonly (readonly [what: string, body: string])[] = [
  ['a size of letters', 'zz\r\n{}\r\n0\r\n\r\n'],
  ['a size in C', '0x2\r\n{}\r\n0\r\n\r\n'],
  ['a negative size', '-2\r\n{}\r\n0\r\n\r\n'],
  ['a positive size', '+2\r\n{}\r\n0\r\n\r\n'],
  ['a size behind a space', ' 2\r\n{}\r\n0\r\n\r\n'],
  ['a size with an underscore', '1_0\r\n{}\r\n0\r\n\r\n'],
  ['a size of 17 digits', '10000000000000002\r\n{}\r\n0\r\n\r\n'],
  ['no size', '\r\n{}\r\n0\r\n\r\n'],
  ['more data than its size', '1\r\n{}\r\n0\r\n\r\n'],
  ['no line break behind its data', '2\r\n{}0\r\n\r\n'],
  ['a bare line feed behind its size', '2\n{}\r\n0\r\n\r\n'],
  ['a bare return behind its size', '2\r{}\r\n0\r\n\r\n'],
  ['a NUL in an extension', '2;a=\0\r\n{}\r\n0\r\n\r\n'],
  ['an extension of 100 KiB', `2;a=${'b'.repeat(100 * 1024)}\r\n{}\r\n0\r\n\r\n`],
  ['a trailer without a colon', '2\r\n{}\r\n0\r\nabc\r\n\r\n'],
  ['a trailer of 100 KiB', `2\r\n{}\r\n0\r\nA: ${'b'.repeat(100 * 1024)}\r\n\r\n`],
];

/** Not HTTP, or not the version we speak, or a header that nobody may send. */
export const brokenHeads: readonly (readonly [what: string, bytes: string])[] = [
  ['a word', `${framingCanary}\r\n\r\n`],
  ['a greeting of TLS', `\x16\x03\x01\x02\x00\x01${framingCanary}`],
  ['a greeting of SSH', `SSH-2.0-${framingCanary}\r\n`],
  ['a greeting of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a head of a proxy', `PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n${with_()}`],
  ['HTTP/0.9', 'GET /v1/models\r\n\r\n'],
  ['HTTP/2.0', `GET /v1/models HTTP/2.0\r\n${host}\r\n`],
  ['HTTP/1.2', `GET /v1/models HTTP/1.2\r\n${host}\r\n`],
  ['HTTP/01.1', `GET /v1/models HTTP/01.1\r\n${host}\r\n`],
  ['http/1.1', `GET /v1/models http/1.1\r\n${host}\r\n`],
  ['an unknown method', `CANARY /${framingCanary} HTTP/1.1\r\n${host}\r\n`],
  ['a method in lower case', `get /v1/models HTTP/1.1\r\n${host}\r\n`],
  ['a method with a NUL', `GE\0T /v1/models HTTP/1.1\r\n${host}\r\n`],
  ['a tab before the address', `GET\t/v1/models HTTP/1.1\r\n${host}\r\n`],
  ['a space in the address', `GET /v1/${framingCanary} x HTTP/1.1\r\n${host}\r\n`],
  ['a NUL in the address', `GET /v1/\0${framingCanary} HTTP/1.1\r\n${host}\r\n`],
  ['a return in the address', `GET /v1/\r${framingCanary} HTTP/1.1\r\n${host}\r\n`],
  ['bare line feeds', 'GET /v1/models HTTP/1.1\nHost: a\n\n'],
  ['bare returns', 'GET /v1/models HTTP/1.1\rHost: a\r\r'],
  ['a header without a colon', `${get}${host}${framingCanary}\r\n\r\n`],
  ['a header without a name', with_(`: ${framingCanary}`)],
  ['a space before the colon', with_('X-A : b')],
  ['a space before the first header', `${get} ${host}\r\n`],
  ['a folded header', with_('X-A: b\r\n c')],
  ['a header folded by a tab', with_('X-A: b\r\n\tc')],
  ['a NUL in a name', with_('X-\0A: b')],
  ['a letter beyond ASCII in a name', with_('X-Ä: b')],
  ['a bracket in a name', with_('X(A): b')],
  ['a NUL in a value', with_('X-A: b\0c')],
  ['a bell in a value', with_('X-A: b\x07c')],
  ['a bare return in a value', with_('X-A: b\rc')],
  ['a bare return at the end of a value', with_('X-A: b\r')],
  ['no Host', `${get}\r\n`],
  ['two Hosts', `${get}Host: a\r\nHost: b\r\n\r\n`],
  ['the same Host twice', `${get}Host: a\r\nHost: a\r\n\r\n`],
  ['two Hosts in HTTP/1.0', 'GET /v1/models HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n'],
  ['a list of Hosts', `${get}Host: a, b\r\n\r\n`],
  ['a Host with a path', `${get}Host: a/b\r\n\r\n`],
  ['a Host with a user', `${get}Host: b@a\r\n\r\n`],
  ['a Host with a port of letters', `${get}Host: a:b\r\n\r\n`],
  ['an address of another Host', `GET http://${framingCanary}/v1/models HTTP/1.1\r\n${host}\r\n`],
  ['an address of a user', `GET http://a@b/v1/models HTTP/1.1\r\nHost: b\r\n\r\n`],
  ['an address of a file', `GET file:///etc/passwd HTTP/1.1\r\n${host}\r\n`],
  ['an address without a slash', `GET v1/models HTTP/1.1\r\n${host}\r\n`],
  ['an asterisk for GET', `GET * HTTP/1.1\r\n${host}\r\n`],
];
