/** The limits of what callers send and how they send it. */
import { imageLimits } from '../../shared/limits.ts';
import { byOption, fixed, type LimitGroup, type LimitRow, type TestName } from './limit-table.ts';

const bad = '400 `invalid_request_error`';
const slow = '408 `invalid_request_error`, the connection closes';
const busy = '429 `rate_limit`, `retry-after`';

const generation = 'server/http/v1/read-generation.test.ts';
const editForm = 'server/http/v1/read-edit-form.test.ts';
const editJson = 'server/http/v1/read-edit-json.test.ts';
const brokenForm = 'server/http/v1/broken-form.test.ts';
const memory = 'test/api/uploads/429-memory.test.ts';
const otherForm = 'test/api/uploads/503-other-form.test.ts';
const slowTests = 'test/api/uploads/408-slow.test.ts';
const processTests = 'test/api/limits/process.test.ts';
const brokenHttp = 'test/api/everywhere/400-broken-http.test.ts';
const budget = 'server/lib/bytes/byte-budget.test.ts';
const form = 'server/http/v1/multipart-body.ts';

const mebibytes = (bytes: number) => `${bytes / 1_048_576} MiB`;
const kibibytes = (bytes: number) => `${bytes / 1024} KiB`;
const seconds = (ms: number) => `${ms / 1000} s`;
const grouped = (value: number) => value.toLocaleString('en-US');
const count = (what: string) => (value: number) => `${grouped(value)} ${what}`;

/** A promise of the API, the same for every installation. */
function promised(value: string): Pick<LimitRow, 'value' | 'by'> {
  return { value, by: 'fixed: the API promises it' };
}

/** One test that shows both sides. */
function both(...test: TestName): Pick<LimitRow, 'within' | 'beyond'> {
  return { within: test, beyond: test };
}

const bodies: LimitGroup = {
  name: 'bodies',
  rows: [
    {
      limit: 'Body of a generation',
      ...byOption('generationBodyBytesMax'),
      answer: bad,
      ...both(generation, 'is longer than the limit by one byte, announced or not'),
    },
    {
      limit: 'Body of an edit, and all its pictures together',
      ...byOption('editBodyBytesMax'),
      answer: bad,
      ...both(brokenForm, 'is longer than the limit, announced or not'),
    },
    {
      limit: 'Body of a request of the console',
      ...fixed(['server/http/console/serve-console.ts', 'consoleBodyBytesMax'], {
        unit: kibibytes,
        why: 'its forms need a hundredth',
      }),
      answer: bad,
      ...both('test/api/console/http.test.ts', 'consoleBodyBytesMax} bytes and no more'),
    },
    {
      limit: 'Refused body that is still read, so that its sender can read the answer',
      ...fixed(['server/http/connections/drain.ts', 'drainBytesMax'], {
        unit: mebibytes,
        why: 'what is read is thrown away',
      }),
      answer: 'the connection closes',
      within: [
        generation,
        'is so long that it takes a while to send, and its sender still reads why',
      ],
      beyond: [generation, 'has no end in sight, and is cut off'],
    },
    {
      limit: 'Time for a whole body',
      ...byOption('uploadTimeoutMs'),
      answer: slow,
      within: [slowTests, 'is read, whatever its pauses'],
      beyond: [slowTests, 'is cut with a 408 when its time is over'],
    },
    {
      limit: 'Longest pause within a body',
      ...byOption('uploadIdleMs'),
      answer: slow,
      within: [slowTests, 'is read, whatever its pauses'],
      beyond: [slowTests, "test('is cut with a 408', async"],
    },
  ],
};

const uploads: LimitGroup = {
  name: 'memory',
  rows: [
    {
      limit: 'Uploads and finished answers of a process together',
      value: 'half of what the process may use, at least 128 MiB',
      by: '`TINTYPE_MEMORY_BUDGET`',
      answer: busy,
      within: ['test/api/uploads/200-bounded-memory.db.test.ts', 'on a budget of 128 MiB'],
      beyond: [memory, 'an upload is a 429 that says when to come back, and small requests go on'],
    },
    {
      limit: 'Expected size of the answers under way in a process',
      value: 'three quarters of the budget',
      by: '`TINTYPE_MEMORY_BUDGET`',
      answer: busy,
      ...both(processTests, 'are as many as there is memory for; one more is a 429'),
    },
    {
      limit: 'A single upload',
      value: '15/16 of the budget',
      by: '`TINTYPE_MEMORY_BUDGET`',
      answer: `${bad} that names the option`,
      within: [memory, 'is all of the budget but what small bodies have'],
      beyond: [memory, 'is refused at once when there never can be so much'],
    },
    {
      limit: 'An upload with what is made of its pictures for an upstream that does not read them',
      value: '15/16 of the budget',
      by: '`TINTYPE_MEMORY_BUDGET`',
      answer: 'the next upstream; 503 `model_unavailable` if there is none',
      within: [otherForm, 'is there once for all pictures of a request'],
      beyond: [otherForm, 'is not sent where there is no room for it'],
    },
    {
      limit: 'Time that an upload waits for memory',
      ...fixed(['server/http/v1/upload-memory.ts', 'roomWaitMs'], {
        unit: seconds,
        why: 'an SDK asks again by itself',
      }),
      answer: busy,
      within: [budget, 'gets it when another ends'],
      beyond: [budget, 'is told so after a while, and holds nothing'],
    },
    {
      limit: 'Uploads that wait for memory, small and large ones each',
      ...fixed(['server/lib/bytes/byte-budget.ts', 'waitingMax'], {
        unit: grouped,
        why: 'as many as may run at once',
      }),
      answer: busy,
      ...both(budget, 'has a place for 2,000'),
    },
    {
      limit: 'Time in which a caller takes nothing of its answer',
      ...byOption('deliveryTimeoutMs'),
      answer: 'the connection closes; charged like a caller who leaves in the middle',
      within: [
        'test/api/uploads/429-memory.test.ts',
        'gives back what it took when its answer is out',
      ],
      beyond: [slowTests, 'is cut, and gives back its memory: %s'],
    },
    {
      limit: 'Log lines that wait for their reader, in each process',
      ...fixed(['server/cli/serve/open-log.ts', 'unreadBytesMax'], {
        unit: mebibytes,
        why: 'some ten thousand lines',
      }),
      answer: 'further lines are lost, and standard error says so',
      within: ['server/cli/serve/bounded-log.test.ts', 'loses nothing that somebody reads'],
      beyond: ['server/cli/serve/bounded-log.test.ts', 'loses lines while nobody reads'],
    },
  ],
};

const forms: LimitGroup = {
  name: 'forms',
  rows: [
    {
      limit: 'Parts of a form',
      ...fixed([form, 'partsMax'], { unit: grouped, why: 'an edit has 30 at most' }),
      answer: bad,
      ...both(processTests, 'may have 100 parts and no more'),
    },
    {
      limit: 'Header lines of a part',
      ...fixed([form, 'headerLinesMax'], { unit: grouped, why: 'clients send two' }),
      answer: bad,
      ...both(processTests, 'may have 32 lines in the header of a part and no more'),
    },
    {
      limit: 'Header of a part',
      ...fixed([form, 'headerBytesMax'], {
        unit: kibibytes,
        why: 'as for the headers of a request',
      }),
      answer: bad,
      ...both(processTests, 'may have 16 KiB in the header of a part and no more'),
    },
    {
      limit: 'Name of a part',
      ...fixed([form, 'nameCharactersMax'], {
        unit: count('characters'),
        why: 'ours have 18 at most',
      }),
      answer: bad,
      ...both(processTests, 'may have names of 128 characters and no longer'),
    },
    {
      limit: 'Boundary',
      ...fixed([form, 'boundaryCharactersMax'], {
        unit: count('characters'),
        why: 'RFC 2046 allows 70',
      }),
      answer: bad,
      ...both(processTests, 'may have a boundary of 200 characters and no longer'),
    },
    {
      limit: 'Text field of a form',
      value: `${grouped(4 * imageLimits.promptCharactersMax)} bytes`,
      by: 'fixed: the longest prompt in UTF-8',
      answer: bad,
      ...both(
        'server/http/v1/foreign-parts.test.ts',
        'are refused when they are too long or not UTF-8',
      ),
    },
  ],
};

const pictures: LimitGroup = {
  name: 'pictures',
  rows: [
    {
      limit: 'Prompt',
      ...promised(`${grouped(imageLimits.promptCharactersMax)} characters`),
      answer: bad,
      within: [generation, 'has up to 32,000 characters, however many bytes they take'],
      beyond: [generation, 'of %i characters is refused by name'],
    },
    {
      limit: 'Reference images',
      ...promised(String(imageLimits.referenceImagesMax)),
      answer: bad,
      ...both(editForm, 'are at least one and at most sixteen'),
    },
    {
      limit: 'One reference image or mask',
      ...promised(mebibytes(imageLimits.fileBytesMax)),
      answer: bad,
      within: [editForm, 'have up to 20 MiB each'],
      beyond: [editForm, 'when they have one byte more'],
    },
    {
      limit: 'Pixels of a reference image or mask',
      ...promised(grouped(imageLimits.filePixelsMax)),
      answer: bad,
      ...both(editJson, 'are more pixels than allowed, by one row'),
    },
    {
      limit: 'Idempotency-Key',
      ...promised(`${imageLimits.idempotencyKeyCharactersMax} characters`),
      answer: bad,
      within: ['test/api/images-generations/200-replayed.test.ts', 'may be %j'],
      beyond: ['test/api/images-generations/400.test.ts', 'refuses the Idempotency-Key %j'],
    },
    {
      limit: 'Nesting levels of a JSON body',
      ...promised(String(imageLimits.jsonDepthMax)),
      answer: bad,
      ...both('server/lib/bytes/json-cut.test.ts', 'too deep, on either side of the limit'),
    },
    {
      limit: 'JSON body of an edit without its pictures',
      ...byOption('generationBodyBytesMax'),
      answer: bad,
      ...both('server/lib/bytes/json-cut.test.ts', 'too long, counting only what is not cut out'),
    },
  ],
};

const http: LimitGroup = {
  name: 'http',
  rows: [
    {
      limit: 'Headers of a request',
      ...fixed(['server/http/unfit-request.ts', 'headersMax'], {
        unit: grouped,
        why: 'proxies and SDKs send 40',
      }),
      answer: bad,
      within: [brokenHttp, 'may be 200'],
      beyond: [brokenHttp, 'more than Host and key'],
    },
    {
      limit: 'Headers of a request together',
      ...fixed(['server/http/connections/broken-request.ts', 'headerBytesMax'], {
        unit: kibibytes,
        why: 'what Node and most proxies allow',
      }),
      answer: '431 `invalid_request_error`, the connection closes',
      ...both(processTests, 'the headers of a request may have nearly 16 KiB and no more'),
    },
    {
      limit: 'Time for the headers of a request',
      ...byOption('headersTimeoutMs'),
      answer: slow,
      within: ['test/hostile/flood.test.ts', 'that do not come to the end of their headers'],
      beyond: ['test/hostile/flood.test.ts', 'that do not come to the end of their headers'],
    },
    {
      limit: 'Time to fetch a picture by its URL, redirects included',
      ...byOption('imageFetchTimeoutMs'),
      answer: bad,
      within: ['server/lib/outgoing/safe-fetch.test.ts', 'comes as its bytes, asked for politely'],
      beyond: [
        'server/lib/outgoing/safe-fetch.test.ts',
        'is refused when its time is over, whatever it waits for',
      ],
    },
    {
      limit: 'Redirects while it is fetched',
      ...fixed(['server/lib/outgoing/safe-fetch-requests.ts', 'redirectsMax'], {
        unit: grouped,
        why: 'picture hosts need two',
      }),
      answer: bad,
      within: [
        'server/lib/outgoing/safe-fetch.test.ts',
        'may be reached through three redirects of any kind',
      ],
      beyond: [
        'server/lib/outgoing/safe-fetch.test.ts',
        'is refused after three redirects, without a fifth request',
      ],
    },
    {
      limit: 'Size of it',
      ...promised(mebibytes(imageLimits.fileBytesMax)),
      answer: bad,
      ...both('test/api/images-edits/200-json-url.test.ts', 'may have 20 MiB and not a byte more'),
    },
    {
      limit: 'Pictures of one request that are fetched at once',
      ...fixed(['server/http/v1/input-images.ts', 'lanesMax'], {
        unit: grouped,
        why: 'each may take 20 MiB',
      }),
      answer: 'the next wait',
      ...both(editJson, 'are fetched, in the order they were given'),
    },
  ],
};

export const requestLimits: readonly LimitGroup[] = [bodies, uploads, forms, pictures, http];
