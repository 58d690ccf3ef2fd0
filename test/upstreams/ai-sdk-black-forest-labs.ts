/**
 * A fake of Black Forest Labs' API, for the contract. A job is submitted, asked after, and its
 * picture fetched; the submission is what the scenarios are about, and decides what comes of it.
 */
import { aiSdkKind } from '../../server/upstreams/ai-sdk/adapter.ts';
import { file, json } from './ai-sdk-answers.ts';
import type { ContractSubject, FakeAnswer, FakeProtocol, SeenRequest } from './contract-subject.ts';

/** What the fake says of a job when it is asked after. */
type Fate = { picture: Buffer } | { address: string } | { status: string };

/** Of the fake that was asked last; its answers name it, as scenarios run one after another. */
let origin = '';
const fates = new Map<string, Fate>();

const fake: FakeProtocol = {
  basePath: '/v1',
  isMain(request) {
    origin = `http://${request.headers['host']}`;
    return request.method === 'POST';
  },
  answerOther,
  picture: (picture) => submitted({ picture }),
  streamed: null,
  pictureAt: (address) => submitted({ address }),
  refusal: submitted({ status: 'Request Moderated' }),
  unauthorized: json(403, { detail: 'Not authenticated - No such user here.' }),
  outOfQuota: json(402, { detail: 'Insufficient credits. Please add more of them.' }),
  tooMany: (retryAfterSeconds) =>
    json(
      429,
      { detail: 'Rate limit exceeded here.' },
      { 'retry-after': String(retryAfterSeconds) },
    ),
  unavailable: json(503, { detail: 'Service temporarily not available.' }),
  errorInside: null,
  empty: json(200, {}),
  text: json(200, { detail: 'A fox lies in the deep white snow.' }),
  // It has none: the adapter's own list is given when the credential is accepted.
  modelList: null,
  isCancel: null,
};

export const blackForestLabsSubject: ContractSubject = {
  kind: aiSdkKind,
  settings: { provider: 'black-forest-labs' },
  credential: 'bfl_fake_4e0d7c92-51ab',
  upstreamModel: 'flux-2-pro',
  fake,
};

/** Where it leads is known only when it is sent. */
function submitted(fate: Fate): FakeAnswer {
  const id = `job-${fates.size}`;
  fates.set(id, fate);
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    get body() {
      return json(200, { id, polling_url: `${origin}/v1/get_result?id=${id}` }).body;
    },
  };
}

function answerOther({ path }: SeenRequest): FakeAnswer {
  const url = new URL(path, origin);
  const fate = fates.get(url.searchParams.get('id') ?? '');
  if (url.pathname === '/v1/credits') return json(200, { credits: 1250 });
  if (!fate) return json(404, { detail: 'Not Found' });
  if (url.pathname === '/delivery/sample.png' && 'picture' in fate) return file(fate.picture);
  if ('status' in fate) return json(200, { id: url.searchParams.get('id'), ...fate, result: null });
  const sample = 'address' in fate ? fate.address : `${origin}/delivery/sample.png${url.search}`;
  return json(200, {
    id: url.searchParams.get('id'),
    status: 'Ready',
    result: { sample, seed: 42, duration: 3.1 },
  });
}
