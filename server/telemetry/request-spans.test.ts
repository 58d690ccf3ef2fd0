import { expect, it } from 'vitest';
import { answeredRequest, goodAttempt } from '../../test/support/requests/answered-request.ts';
import type { AttemptRecord } from '../flows/requests/attempts/attempt.ts';
import type { AnsweredRequest } from '../http/request-watch.ts';
import { traceRequests, traceRuns } from './request-spans.ts';
import type { SpanTold } from './tracer.ts';

const answered: AnsweredRequest = {
  ...answeredRequest,
  begunAtMs: 1_000,
  madeAtMs: 2_400,
  endedAtMs: 2_450,
};

const attempt: AttemptRecord = {
  ...goodAttempt,
  picture: 1,
  attempt: 2,
  started_at: 1_100,
  fault: 'timeout',
  status: 504,
  upstream_request_id: 'req-7',
};

/** Keeps what it is told. */
function tracer() {
  const roots: SpanTold[] = [];
  const steps: SpanTold[] = [];
  return {
    roots,
    steps,
    addRoot: (_place: unknown, told: SpanTold) => void roots.push(told),
    addStep: (_root: unknown, told: SpanTold) => void steps.push(told),
    stop: async () => {},
  };
}

function spansOf(changes: Partial<AnsweredRequest>) {
  const told = tracer();
  traceRequests(told).onAnswered({ ...answered, ...changes });
  return told;
}

it('a request says how it was answered, and when its pictures went out', () => {
  const { roots, steps } = spansOf({});
  expect(roots).toEqual([
    {
      name: 'POST /v1/images/generations',
      kind: 'server',
      begunAtMs: 1_000,
      endedAtMs: 2_500,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/v1/images/generations',
        'http.request.size': 100,
        'http.response.size': 2_000,
        'tintype.trace_id': 'tr_1',
        'http.response.status_code': 200,
        'tintype.model': 'gen-image-2',
        'tintype.operation': 'generation',
        'tintype.upstream_ms': 1_250,
      },
      failure: null,
    },
  ]);
  const deliver = { name: 'deliver', kind: 'internal', attributes: {}, failure: null };
  expect(steps).toEqual([{ ...deliver, begunAtMs: 2_450, endedAtMs: 2_500 }]);
});

it.each([
  [400, 'invalid_request_error', null],
  [499, 'client_gone', null],
  [500, 'internal_error', 'internal_error'],
  [502, 'upstream_error', 'upstream_error'],
  // After the first byte of a stream there is no other status.
  [200, 'upstream_error', 'upstream_error'],
  [null, 'client_gone', 'client_gone'],
] as const)('an answer of status %s and %s is a failure of ours: %s', (status, code, failure) => {
  const { roots } = spansOf({ status, code });
  expect(roots).toMatchObject([{ failure, attributes: { 'error.type': code } }]);
});

it('what was not paid for, and what was refused, is not delivered; who left is said', () => {
  expect(spansOf({ endedAtMs: null }).steps).toEqual([]);
  expect(spansOf({ status: 502, code: 'upstream_error' }).steps).toEqual([]);
  expect(spansOf({ code: 'upstream_error' }).steps).toEqual([]);
  expect(spansOf({ code: 'client_gone' }).steps).toMatchObject([{ failure: 'client_gone' }]);
});

it('of the console, image requests are traced alone', () => {
  const route = '/api/console/usage';
  expect(spansOf({ route, operation: null }).roots).toEqual([]);
  expect(spansOf({ route }).roots).toHaveLength(1);
  expect(spansOf({ route: '/v1/models', operation: null }).roots).toHaveLength(1);
});

it('an attempt says of whom what was asked, and how it ended; one that was not made says nothing', () => {
  const told = tracer();
  const skipped = { ...attempt, skipped: 'queue_full' } as const;
  const attempts = [skipped, attempt];
  traceRuns(told).onAttempts({ traceId: 'tr_1', note: answered, attempts });
  expect(told.steps).toEqual([
    {
      name: 'attempt studio',
      kind: 'client',
      begunAtMs: 1_100,
      endedAtMs: 2_350,
      attributes: {
        'tintype.upstream': 'studio',
        'tintype.upstream_model': 'paint-1',
        'tintype.picture': 1,
        'tintype.attempt': 2,
        'error.type': 'timeout',
        'http.response.status_code': 504,
        'tintype.upstream_request_id': 'req-7',
      },
      failure: 'timeout',
    },
  ]);
});
