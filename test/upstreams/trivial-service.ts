import type { AdapterKind } from '../../server/upstreams/adapter-kind.ts';
import type { ContractSubject, FakeAnswer } from './contract-subject.ts';

/** The service that {@link trivialKind} speaks to, and an adapter for it. */
export function trivialSubject(kind: AdapterKind): ContractSubject {
  return {
    kind,
    settings: {},
    credential: 'sk-trivial-0c2f7be1d94a',
    upstreamModel: 'pencil',
    fake: {
      basePath: '/api',
      isMain: ({ path }) => path.startsWith('/api/draw'),
      answerOther: () => json(404, { error: { code: 'not_found', message: 'Nothing lives here' } }),
      picture: (picture) => json(200, { picture: picture.toString('base64') }),
      streamed: (partials, picture) => ({
        status: 200,
        headers: { 'content-type': 'text/event-stream' },
        body: [
          ...partials.map((partial) => event({ partial: partial.toString('base64') })),
          event({ picture: picture.toString('base64') }),
        ],
      }),
      pictureAt: (url) => json(200, { url }),
      refusal: failed(400, 'content_policy_violation'),
      unauthorized: failed(401, 'invalid_api_key'),
      outOfQuota: failed(429, 'insufficient_quota'),
      tooMany: (seconds) => ({
        ...failed(429, 'rate_limit_exceeded'),
        headers: { 'content-type': 'application/json', 'retry-after': String(seconds) },
      }),
      unavailable: failed(503, 'service_unavailable'),
      errorInside: failed(200, 'server_error'),
      empty: json(200, {}),
      text: json(200, { words: 'A fox lies in the deep white snow.' }),
      modelList: (models) => json(200, { models }),
      isCancel: null,
    },
  };
}

function failed(status: number, code: string): FakeAnswer {
  return json(status, { error: { code, message: `Your drawing did not work out: ${code}` } });
}

function json(status: number, value: unknown): FakeAnswer {
  const body = [Buffer.from(JSON.stringify(value))];
  return { status, headers: { 'content-type': 'application/json' }, body };
}

function event(value: unknown): Buffer {
  return Buffer.from(`data: ${JSON.stringify(value)}\n\n`);
}
