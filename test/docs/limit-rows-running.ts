/** The limits of requests that run, of upstreams, and of guessing. */
import { formatDuration } from '../../server/cli/durations.ts';
import { ringLimits } from '../../server/cluster/switchboard.ts';
import { finishMsMax } from '../../server/flows/requests/attempts/attempt.ts';
import { doubtLimits } from '../../server/flows/requests/runs/doubtful-handovers.ts';
import { borrowLimits } from '../../server/flows/requests/siblings/borrowed-run.ts';
import { lockLimits, type TryKind, tryLimits } from '../../server/identity/try-limit.ts';
import { convertPixelsMax } from '../../server/images/picture.ts';
import { commitLimits } from './limit-rows-commits.ts';
import {
  byOption,
  bySetting,
  byUpstream,
  fixed,
  type LimitGroup,
  type LimitRow,
  type TestName,
} from './limit-table.ts';

const busy = '429 `rate_limit`, `retry-after`';
const failed = '502 `upstream_error`, nothing is charged';
const full = '503 `unavailable`, `retry-after`, nothing is charged';

const late = 'server/flows/requests/attempts/attempt-late.test.ts';
const processTests = 'test/api/limits/process.test.ts';
const replay = 'server/flows/requests/runs/image-runs-replay.db.test.ts';
const abandoned = 'server/flows/requests/runs/image-runs-abandoned.db.test.ts';
const doubtful = 'server/flows/requests/runs/doubtful-handovers.test.ts';
const switchboard = 'server/cluster/switchboard.test.ts';
const siblings = 'server/flows/requests/siblings/sibling-runs-running.db.test.ts';
const lane = 'server/upstreams/lane.test.ts';
const signIn = 'test/api/console/sign-in/sign-in.test.ts';
const outgoing = 'server/lib/outgoing/guarded-http.test.ts';
const postgres = 'server/db/postgres/postgres.db.test.ts';
const client = 'server/lib/outgoing/http1-client.test.ts';

const mebibytes = (bytes: number) => `${bytes / 1_048_576} MiB`;

function both(...test: TestName): Pick<LimitRow, 'within' | 'beyond'> {
  return { within: test, beyond: test };
}

const atOnce: LimitGroup = {
  name: 'at once',
  rows: [
    {
      limit: 'Requests of a user at once',
      ...bySetting('slotsPerUser'),
      answer: busy,
      within: ['test/money/race.db.test.ts', 'no more than 5 run at once'],
      beyond: ['test/api/images-generations/429.test.ts', 'is refused another'],
    },
    {
      limit: 'Requests of a key at once',
      value: 'those of its user',
      by: '`keys limit --slots`',
      answer: busy,
      ...both(
        'server/flows/keys/key-limits.db.test.ts',
        'limits the requests of a key at once, exactly',
      ),
    },
    {
      limit: 'Requests of a process at once',
      ...byOption('requestsInFlightMax'),
      answer: busy,
      ...both(processTests, 'are as many as the option says; one more is a 429'),
    },
    {
      limit: 'Calls of an upstream at once',
      ...byUpstream('concurrencyMax', 'concurrency'),
      answer: 'wait in the queue, or the next upstream',
      within: ['test/api/routing/limits.test.ts', 'is without a limit all of them'],
      beyond: [
        'test/api/routing/limits.test.ts',
        'is no more than its limit, however many are asked for',
      ],
    },
    {
      limit: 'Calls in the queue of an upstream',
      ...byUpstream('queueMax', 'queue'),
      answer: full,
      within: [lane, 'takes as many as it may, and not one more'],
      beyond: [
        'test/api/routing/limits.test.ts',
        'who finds the queue full is a 503, and nothing is charged',
      ],
    },
    {
      limit: 'Time in that queue',
      ...byUpstream('queueWaitMs', 'queue-wait'),
      answer: full,
      within: [lane, 'is waited in for its time and no longer'],
      beyond: [
        'test/api/routing/limits.test.ts',
        'who waited in vain is a 503, and nothing is charged',
      ],
    },
    {
      limit: 'Upstream calls of one picture',
      ...byOption('attemptsPerPictureMax'),
      answer: failed,
      ...both(
        'server/flows/requests/attempts/make-picture.test.ts',
        'makes no more attempts than it may',
      ),
    },
  ],
};

const time: LimitGroup = {
  name: 'time',
  rows: [
    {
      limit: 'Time for an answer that is not streamed',
      ...byOption('requestDeadlineMs'),
      answer: failed,
      within: [processTests, 'ends a stream, and leaves what is not streamed its own'],
      beyond: [processTests, 'ends what is not streamed, and leaves a stream its own'],
    },
    {
      limit: 'Time for a stream',
      ...byOption('streamDeadlineMs'),
      answer: failed,
      within: [processTests, 'ends what is not streamed, and leaves a stream its own'],
      beyond: [processTests, 'ends a stream, and leaves what is not streamed its own'],
    },
    {
      limit: 'Further time to convert a picture that has arrived by then',
      value: formatDuration(finishMsMax),
      by: 'fixed: proxies wait this much longer',
      answer: failed,
      within: [late, 'is put into it all the same'],
      beyond: [late, 'is given up after some seconds'],
    },
    {
      limit: 'How long a request runs on after its caller left',
      ...byOption('graceMs'),
      answer: 'canceled, nothing is charged',
      within: [abandoned, 'gets the picture for one charge when it comes back before'],
      beyond: [abandoned, 'is waited for, and pays nothing when it does not come back'],
    },
    {
      limit: 'Such requests of a user at once',
      ...bySetting('abandonedRequestsPerUser'),
      answer: 'canceled at once, nothing is charged',
      ...both(abandoned, 'may do so only so often at the same time'),
    },
    {
      limit: 'How long an answer is kept after it was sent, for a caller that had left',
      value: formatDuration(doubtLimits.ms),
      by: 'fixed: until the first retry of an SDK',
      answer: 'a retry is a new request',
      ...both(doubtful, 'is in doubt for its time'),
    },
    {
      limit: 'Memory for such answers, with their requests',
      value: mebibytes(doubtLimits.bytesMax),
      by: 'fixed: a larger one is not kept',
      answer: 'the oldest gives way',
      within: [doubtful, 'is not in doubt when it takes more memory than all may'],
      beyond: [doubtful, 'gives way to later ones when they take too much memory'],
    },
    {
      limit: 'How long an answer is kept for its Idempotency-Key',
      ...byOption('idempotencyReplayMs'),
      answer: '400 `invalid_request_error` that names the first request',
      within: [replay, 'keeps its answer for its time'],
      beyond: ['test/money/idempotency.db.test.ts', 'clock.advance(replayMs)'],
    },
    {
      limit: 'Memory for such answers, and at most a quarter of the memory budget',
      ...byOption('idempotencyReplayBytesMax'),
      answer: 'the least recently used gives way',
      within: [replay, 'keeps no more bytes than it may'],
      beyond: [replay, 'is charged although its answer is too large to be kept'],
    },
    {
      limit: 'Wait for a worker that is asked for the answer to a repeat',
      value: formatDuration(ringLimits.ms),
      by: 'fixed: a worker that lives takes far less',
      answer: 'the next worker is asked',
      ...both(
        switchboard,
        'asks the next one when a worker has died, or says nothing for its time',
      ),
    },
    {
      limit: 'Wait for each 256 KiB of that answer',
      value: formatDuration(borrowLimits.pieceMs),
      by: 'fixed: a worker that lives takes far less',
      answer: '503 `unavailable`, `retry-after`',
      ...both(siblings, 'is waited for no longer than it may take to a piece'),
    },
    {
      limit: 'Time for a statement with which the console reads, on PostgreSQL',
      ...byOption('databaseReadTimeoutMs'),
      answer: '503 `unavailable`',
      within: [postgres, 'may take longer than the answer to a request'],
      beyond: [postgres, 'is given up by the server itself when a statement takes too long'],
    },
    {
      limit: 'Requests over which the console compares upstreams',
      ...fixed(['shared/console/compare-limits.ts', 'comparedRequestsMax'], {
        unit: (value) => value.toLocaleString('en-US'),
        why: 'the calls of each are read one by one',
      }),
      answer: '400 `invalid_request_error`; the console says so before it asks',
      ...both(
        'test/api/console/admin/upstream-sums.test.ts',
        'refuses to compare more requests than it reads at once, and a filter that is none',
      ),
    },
  ],
};

const upstreams: LimitGroup = {
  name: 'upstreams',
  rows: [
    {
      limit: 'Time until the answer of an upstream begins',
      ...byUpstream('firstByteMs', 'first-byte'),
      answer: 'the next upstream, or 502',
      within: [outgoing, 'comes in pieces, as they are sent'],
      beyond: [outgoing, 'when its first byte does not come in time'],
    },
    {
      limit: 'Longest pause within it',
      ...byUpstream('idleMs', 'idle'),
      answer: 'the next upstream, or 502',
      within: [outgoing, 'comes in pieces, as they are sent'],
      beyond: [outgoing, 'when it falls silent'],
    },
    {
      limit: "Size of it, where a vendor's library reads it",
      ...fixed(['server/lib/outgoing/guarded-http-fetch.ts', 'answerBytesMax'], {
        unit: mebibytes,
        why: 'the largest picture there is, in base64',
      }),
      answer: 'the next upstream, or 502',
      ...both('server/lib/outgoing/guarded-http-fetch.test.ts', 'reads 64 MiB and not a byte more'),
    },
    {
      limit: 'Pixels of its picture, if it must be converted or a strict mask applied',
      value: convertPixelsMax.toLocaleString('en-US'),
      by: 'fixed: such a picture takes 256 MB while it is read',
      answer: 'the next upstream, or 502',
      ...both('server/images/picture.test.ts', 'a picture of 64 million pixels'),
    },
    {
      limit: 'Redirects while its picture is fetched',
      ...fixed(['server/lib/outgoing/guarded-http-routes.ts', 'redirectsMax'], {
        unit: String,
        why: 'services need one',
      }),
      answer: 'the next upstream, or 502',
      ...both(
        'server/lib/outgoing/guarded-http-download.test.ts',
        'follows three redirects and not a fourth',
      ),
    },
    {
      limit: 'Idle connections kept to each origin',
      ...fixed(['server/lib/outgoing/http1-client.ts', 'idleConnectionsMax'], {
        unit: String,
        why: 'a busy upstream uses them again at once',
      }),
      answer: 'the one that was idle longest is closed',
      within: [client, 'are as many as may, and carry as many requests'],
      beyond: [client, 'are not more: whichever waits longest is closed'],
    },
  ],
};

const locked = 'the console says how long to wait';
const guessing = 'no operator is better off with more';

function guesses(limit: string, kind: TryKind, test: TestName): LimitRow {
  const value = String(tryLimits[kind].freeTries);
  return { limit, value, by: `fixed: ${guessing}`, answer: locked, ...both(...test) };
}

const tries: LimitGroup = {
  name: 'tries',
  rows: [
    guesses('Wrong passwords for an account before a pause', 'account', [
      signIn,
      'locks an account after the free tries',
    ]),
    guesses('Wrong passwords from a network address before a pause', 'address', [
      signIn,
      'locks a network address that tries many accounts, and no other',
    ]),
    guesses('Wrong codes of an authenticator before a pause', 'second_factor', [
      'test/api/console/sign-in/second-factor.test.ts',
      'is not guessed at for long',
    ]),
    guesses('Wrong passwords where it is asked for once more, before a pause', 'proof', [
      'test/api/console/sign-in/account.test.ts',
      'is not guessed at for long',
    ]),
    guesses('Codes worth money that a user gives in vain before a pause', 'code', [
      'test/api/console/codes.test.ts',
      'who tries wrong codes has to wait, and only they',
    ]),
    guesses('Accounts opened from a network address before a pause', 'registration', [
      'test/api/console/sign-in/registration.test.ts',
      'is possible so often from one network address, then after a pause',
    ]),
    guesses('Mails asked for to one address before a pause', 'mail', [
      'test/api/console/sign-in/links.test.ts',
      'is not mailed often to one address, whoever asks',
    ]),
    guesses('Mails asked for from a network address before a pause', 'mail_address', [
      'test/api/console/sign-in/tries.test.ts',
      'is sent only so often for one network address, whomever it is for',
    ]),
    {
      limit: 'Longest pause; each is twice the one before',
      value: formatDuration(lockLimits.lastMs),
      by: `fixed: ${guessing}`,
      answer: locked,
      ...both(signIn, 'doubles the pause with each further failure, up to the longest'),
    },
    {
      limit: 'Sign-ins begun by passkey or issuer from one network address',
      value: '60, and one more each second',
      by: `fixed: ${guessing}`,
      answer: locked,
      ...both(
        'test/api/console/sign-in/passkeys.test.ts',
        'stores no more questions of one network than its limit',
      ),
    },
  ],
};

export const runningLimits: readonly LimitGroup[] = [atOnce, time, commitLimits, upstreams, tries];
