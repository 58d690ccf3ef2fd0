/** Which test stands against which threat, so that a gap can be seen. */

export interface CoveredThreat {
  family: string;
  threat: string;
  /** From the root of the repository. */
  file: string;
  /** Names of tests, or of the rows of their tables, as they stand in the file. */
  tests: readonly string[];
}

const fetchAddress = 'server/lib/outgoing/safe-fetch-address.test.ts';
const fetchAnswer = 'server/lib/outgoing/safe-fetch.test.ts';
const publicAddress = 'server/lib/outgoing/public-address.test.ts';
const pictures = 'test/hostile/pictures.test.ts';
const pictureList = 'test/hostile/hostile-pictures.ts';
const inspect = 'server/lib/pictures/inspect-image.test.ts';
const brokenForm = 'server/http/v1/broken-form.test.ts';
const editForm = 'server/http/v1/read-edit-form.test.ts';
const foreignParts = 'server/http/v1/foreign-parts.test.ts';
const readGeneration = 'server/http/v1/read-generation.test.ts';
const jsonCut = 'server/lib/bytes/json-cut.test.ts';
const bodies = 'test/hostile/bodies.test.ts';
const framing = 'test/hostile/framing.test.ts';
const framingCases = 'test/hostile/framing-cases.ts';
const brokenHttp = 'test/api/everywhere/400-broken-http.test.ts';
const flood = 'test/hostile/flood.test.ts';
const keys = 'test/api/everywhere/401.test.ts';
const upstreamKinds = 'test/hostile/upstream-kinds.ts';
const upstreamAnswers = 'test/hostile/upstream-answers.test.ts';

export const coveredThreats: readonly CoveredThreat[] = [
  // Addresses that the service is to fetch.
  fetched('loopback in every spelling', fetchAddress, [
    'is refused without a connection, spelled %s',
  ]),
  fetched('IPv4 inside IPv6, private and reserved ranges', publicAddress, ['public addresses']),
  fetched('other schemes, user info, nonsense', fetchAddress, ['an address that is not public']),
  fetched('redirects inwards', fetchAddress, ['is refused behind a redirect %i']),
  fetched('redirects without end', fetchAnswer, [
    'is refused after three redirects, without a fifth request',
  ]),
  fetched('DNS with private, mixed and changing answers', fetchAddress, [
    'mixes good and bad',
    'is resolved once, so that a second answer cannot differ',
  ]),
  fetched('endless, lying, slow, folded answers', fetchAnswer, [
    'never ends',
    'is gzipped',
    'is refused when its time is over, whatever it waits for',
  ]),
  fetched('an oracle of open ports', fetchAddress, [
    'is refused with the same words whether something listens there or not',
  ]),
  fetched('an address in an upstream’s answer', upstreamKinds, [
    'an address on this machine',
    'an address of metadata',
  ]),
  // Pictures.
  picture('more pixels than anybody decodes', pictureList, [
    'a WebP of 16383 × 16383 in a few bytes',
    'a PNG of 60000 × 60000',
    'a JPEG of 40000 × 40000',
  ]),
  picture(
    'small files that grow when they are converted',
    'test/api/uploads/503-other-form.test.ts',
    [
      'is there once for all pictures of a request, in the memory for uploads',
      'is not sent where there is no room for it, and nothing is charged',
    ],
  ),
  picture('many that keep all threads busy', 'server/upstreams/wire/made-once.test.ts', [
    'is made while threads are left for other work',
    'is not made of a picture whose request has ended while it waited',
  ]),
  picture('cut short, wrong checksums, absurd lengths', pictureList, [
    'a PNG with a wrong checksum',
    'a PNG with a chunk of 4 GiB',
    'a PNG without pixels',
  ]),
  picture('any byte changed, cut anywhere', inspect, [
    'refuses a PNG with any one byte changed',
    'refuses a %s cut anywhere',
  ]),
  picture('something else by any name', pictureList, [
    'an SVG',
    'an HTML page',
    'a PDF',
    'a ZIP',
    'an ELF program',
  ]),
  picture('by any name and type', pictures, ['the name and the type of a file say nothing']),
  picture('2,000 frames', pictureList, ['a WebP of 2,000 frames', 'a PNG of 2,000 frames']),
  picture('text and profiles that inflate', pictureList, [
    'a PNG with text of 100 MiB',
    'a PNG with a colour profile of 100 MiB',
  ]),
  picture('two files in one', pictureList, [
    'a PNG with a web page behind it',
    'a JPEG with markup in a comment',
  ]),
  picture('a mask that is none', pictures, ['a mask in a form']),
  picture('20 MiB and one byte more', 'test/api/images-edits/400.test.ts', [
    'takes no picture of one byte more than 20 MiB',
  ]),
  // Forms.
  form('boundaries', brokenForm, ['another boundary', 'a boundary of 5,000 characters']),
  form('cut anywhere', brokenForm, ['ends anywhere before its end', 'is broken off by its sender']),
  form('one byte at a time', editForm, ['may come one byte at a time']),
  form('damaged anywhere', 'server/http/v1/multipart-body.test.ts', [
    'a damaged form ends in its parts or in a 400, always',
  ]),
  form('thousands of parts, long names', brokenForm, [
    'has 10,000 fields, 1,000 files, or one part too many',
    'a name of 1 MiB',
  ]),
  form('fields twice, texts as pictures, pictures as texts', foreignParts, [
    'parts that do not belong into a form',
    'are refused as files where text is meant',
  ]),
  form('numbers and booleans as text', editForm, ['writes numbers and booleans as text']),
  // JSON.
  json('no JSON, other types, other encodings', readGeneration, [
    'a body that is refused',
    'UTF-16',
  ]),
  json('whatever JSON.parse refuses', jsonCut, [
    'whatever JSON.parse refuses is refused, and nothing else',
  ]),
  json('deep, wide, long', bodies, [
    '1,000,000 levels',
    '100,000 members',
    'a key of 1 MiB',
    'of 100 MiB is refused',
  ]),
  json('prototypes and doubles', bodies, [
    'called __proto__ or constructor changes nothing',
    'given twice counts as its last',
  ]),
  json('types and values of every field', 'test/api/images-generations/400.test.ts', [
    'wrongValues',
  ]),
  json('base64 that is none', 'server/lib/pictures/base64.test.ts', [
    'finds one wrong byte anywhere in a long text',
  ]),
  json('prices, users and addresses smuggled in', bodies, [
    'that nobody asked for moves no money and calls nobody',
  ]),
  json('a stream with a wrong field', bodies, [
    'that is wrong is told in JSON, also where a stream was asked for',
  ]),
  // HTTP itself.
  http('lengths and codings that can be read in two ways', framing, [
    'a body whose end is in doubt',
  ]),
  http('chunks that are none', framingCases, ['a size in C', 'more data than its size']),
  http('heads that are none', framingCases, [
    'HTTP/0.9',
    'a greeting of HTTP/2',
    'two Hosts',
    'bare line feeds',
    'a folded header',
  ]),
  http('methods and tunnels', framing, ['CONNECT to %s opens nothing', '%s of %s is answered %i']),
  http('several requests at once, one of them broken', framing, [
    'of which one is %s are answered up to that one',
  ]),
  http('large and many headers', brokenHttp, [
    'of %i bytes are too large',
    'may not be %i more than Host and key',
  ]),
  http('folded bodies', bodies, ['of 300 MiB, folded with %s, is not unfolded']),
  http('idle, slow and unread connections', flood, [
    'that say nothing',
    'that do not come to the end of their headers',
    'that do not come to the end of their bodies',
    'of 50 clients that do not read their pictures keeps nobody out, and ends',
  ]),
  http('bursts of resets', flood, ['of 1,000 connections that are reset at once keeps nobody out']),
  http('a body without a key', keys, ['is not read before it is refused']),
  http('broken bodies behind a proxy', 'test/deploy/caller-leaves.test.ts', [
    'a caller whose body is broken keeps nobody else out',
  ]),
  http('forged forwarding', 'server/http/client-address.test.ts', [
    'the connection’s other end, whatever a header says',
  ]),
  // Keys.
  key('keys that are almost right', keys, [
    'with a changed last character',
    'twice, between commas',
  ]),
  key('keys elsewhere', keys, ['is looked for in the header alone']),
  key('a scheme in any case', keys, ['bearer']),
  key('revoked keys, disabled users', keys, [
    'that is revoked fails at the next request',
    'of a disabled user fails until the user is enabled again',
  ]),
  key('500 wrong keys at once', flood, ['of 500 wrong keys keeps nobody out']),
  // Streams to clients.
  streams('events that a prompt forges', bodies, [
    'cannot forge an event',
    'cannot forge a line of the log',
  ]),
  streams('only the events there are, and nothing behind the last', upstreamAnswers, [
    'endsInPicture',
  ]),
  streams('silence', 'test/api/images-generations/200-stream-keep-alive.test.ts', [
    'a stream with nothing to show says so in comments',
  ]),
  streams(
    'failures after the first byte',
    'test/api/images-generations/200-stream-keep-alive.test.ts',
    ['a stream that fails late says so in an event'],
  ),
  // Upstreams.
  upstream(
    'transport',
    ['reset half way', 'silence half way', 'a compression of 300 MiB', 'a body without end'],
    'test/hostile/upstream-transport.ts',
  ),
  upstream('status', ['429 until the year 2199', '500 of 20 MiB', 'in JSON']),
  upstream('echo', ['the host', 'markup', 'line breaks']),
  upstream('body', [
    'half of JSON',
    'three pictures',
    'usage below zero',
    '80 MiB that are no picture',
  ]),
  upstream('stream', ['an end without an end', 'two ends', 'CR', 'one byte at a time']),
  upstream('redirect', ['to this machine', 'in circles']),
  upstream('headers', ['set-cookie', 'content-security-policy', 'x-request-id']),
];

type Tests = readonly string[];

function fetched(threat: string, file: string, tests: Tests): CoveredThreat {
  return { family: 'addresses to fetch', threat, file, tests };
}

function picture(threat: string, file: string, tests: Tests): CoveredThreat {
  return { family: 'pictures', threat, file, tests };
}

function form(threat: string, file: string, tests: Tests): CoveredThreat {
  return { family: 'forms', threat, file, tests };
}

function json(threat: string, file: string, tests: Tests): CoveredThreat {
  return { family: 'JSON', threat, file, tests };
}

function http(threat: string, file: string, tests: Tests): CoveredThreat {
  return { family: 'HTTP', threat, file, tests };
}

function key(threat: string, file: string, tests: Tests): CoveredThreat {
  return { family: 'keys', threat, file, tests };
}

function streams(threat: string, file: string, tests: Tests): CoveredThreat {
  return { family: 'streams to clients', threat, file, tests };
}

function upstream(threat: string, tests: Tests, file = upstreamKinds): CoveredThreat {
  return { family: 'upstreams', threat, file, tests };
}
