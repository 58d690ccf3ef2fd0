import { createVerify, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../../test/support/manual-clock.ts';
import { serve } from '../../../../test/support/services/outgoing.ts';
import { thrownBy } from '../../../../test/support/thrown-by.ts';
import { json } from '../../../../test/upstreams/ai-sdk-answers.ts';
import { openSdkBench, type VendorAnswer } from '../../../../test/upstreams/ai-sdk-bench.ts';
import { geminiSubject } from '../../../../test/upstreams/ai-sdk-gemini.ts';
import { realPicture } from '../../../../test/upstreams/jobs.ts';
import { settingsSchema } from '../settings.ts';
import { googleVertex } from './google-vertex.ts';

const picture = await realPicture();
const { publicKey, privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

/** Each test has an account of its own, for tokens are kept. */
let accounts = 0;

function serviceAccount(overrides: object = {}): string {
  return JSON.stringify({
    type: 'service_account',
    client_email: `painter-${accounts++}@project.iam.gserviceaccount.com`,
    private_key: privateKey,
    private_key_id: 'key-1',
    project_id: 'project-of-the-key',
    ...overrides,
  });
}

const made: VendorAnswer = () =>
  geminiSubject.fake.picture(picture, { method: 'POST', path: '', headers: {}, body: picture });

async function bench(credential: string, answer: VendorAnswer = made, grant = granted) {
  const tokens = await serve((_request, response) => {
    const { status, headers, body } = grant;
    response.writeHead(status, headers).end(Buffer.concat(body));
  });
  const opened = await openSdkBench({
    settings: { provider: 'google-vertex', tokenUrl: `${tokens.origin}/token` },
    upstreamModel: 'gemini-2.5-flash-image',
    answer,
    basePath: '/v1/publishers/google',
    credential,
  });
  return { ...opened, tokens };
}

const granted = json(200, { access_token: 'ya29.fake', expires_in: 3600, token_type: 'Bearer' });

it('asks nobody else for an access token where only the base URL is the operator’s own', async () => {
  const { run } = await openSdkBench({
    settings: { provider: 'google-vertex' },
    upstreamModel: 'gemini-2.5-flash-image',
    answer: made,
    credential: serviceAccount(),
  });
  const error = await thrownBy(run());
  expect(error).toMatchObject({ fault: 'auth', possiblyCharged: false });
  expect(String(error)).toContain('tokenUrl');
});

describe('a picture of Vertex AI', () => {
  it('is asked for with the API key of the express mode', async () => {
    const { final, service, tokens } = await bench('AQ.fake-key');
    expect(await final()).toMatchObject({ image: { encoding: 'base64' } });
    expect(service.requests[0]).toMatchObject({
      url: '/v1/publishers/google/models/gemini-2.5-flash-image:generateContent',
      headers: { 'x-goog-api-key': 'AQ.fake-key' },
    });
    expect(tokens.requests).toHaveLength(0);
  });

  it('is asked for with an access token that the account has signed for', async () => {
    const { run, service, tokens } = await bench(serviceAccount());
    const clock = new ManualClock();
    await run({}, { clock });
    const { headers = {} } = service.requests[0] ?? {};
    expect(headers['authorization']).toBe('Bearer ya29.fake');
    expect(headers).not.toHaveProperty('x-goog-api-key');
    expect(tokens.requests[0]).toMatchObject({
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    const form = new URLSearchParams(tokens.requests[0]?.body.toString());
    expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
    const [head = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.');
    const verify = createVerify('RSA-SHA256').update(`${head}.${claims}`);
    expect(verify.verify(publicKey, signature, 'base64url')).toBe(true);
    expect(readPart(head)).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'key-1' });
    const nowS = clock.now() / 1000;
    expect(readPart(claims)).toEqual({
      iss: expect.stringMatching(/^painter-/),
      scope: 'https://www.googleapis.com/auth/cloud-platform',
      aud: `${tokens.origin}/token`,
      iat: nowS,
      exp: nowS + 3600,
    });
  });

  it('uses the access token again until a minute before its end', async () => {
    const { run, tokens } = await bench(serviceAccount());
    const clock = new ManualClock();
    await run({}, { clock });
    clock.advance((3600 - 60) * 1000 - 1);
    await run({}, { clock });
    expect(tokens.requests).toHaveLength(1);
    clock.advance(1);
    await run({}, { clock });
    expect(tokens.requests).toHaveLength(2);
  });

  it('uses no access token again that was given for another private key', async () => {
    const email = `painter-${accounts++}@project.iam.gserviceaccount.com`;
    const { run, tokens } = await bench(serviceAccount({ client_email: email }));
    await run();
    const wrong = serviceAccount({ client_email: email, private_key: 'not a key' });
    expect(await thrownBy(run({}, { credential: wrong }))).toMatchObject({ fault: 'auth' });
    expect(tokens.requests).toHaveLength(1);
  });

  it('uses no access token again that was given at another token URL', async () => {
    const account = serviceAccount();
    const [one, other] = [await bench(account), await bench(account)];
    await one.run();
    await other.run();
    expect(other.tokens.requests).toHaveLength(1);
  });

  it('asks for another access token after one that was not accepted', async () => {
    const expired = json(401, { error: { code: 401, message: 'No.', status: 'UNAUTHENTICATED' } });
    const answers = [made, () => expired, made];
    const { run, tokens } = await bench(serviceAccount(), (...asked) =>
      (answers.shift() ?? made)(...asked),
    );
    await run();
    expect(await thrownBy(run())).toMatchObject({ fault: 'auth', possiblyCharged: false });
    expect(tokens.requests).toHaveLength(1);
    await run();
    expect(tokens.requests).toHaveLength(2);
  });
});

describe('the credential of Vertex AI', () => {
  it.each([
    ['is no JSON', '{ "client_email": '],
    ['has no key', JSON.stringify({ client_email: 'a@b.c' })],
    ['has a key that is none', serviceAccount({ private_key: 'not a key' })],
  ])('is not accepted when it %s', async (_what, credential) => {
    const { run, service, tokens } = await bench(credential);
    expect(await thrownBy(run())).toMatchObject({ fault: 'auth', possiblyCharged: false });
    expect(service.requests.length + tokens.requests.length).toBe(0);
  });

  it('is not accepted when Google grants nothing for it', async () => {
    const denied = json(400, { error: 'invalid_grant', error_description: 'account not found' });
    const { run, service } = await bench(serviceAccount(), made, denied);
    expect(await thrownBy(run())).toMatchObject({ fault: 'auth' });
    expect(service.requests).toHaveLength(0);
  });

  it.each([
    ['a gateway that waited in vain', { status: 504, headers: {}, body: [] }, 'timeout'],
    ['a web page', { status: 200, headers: {}, body: [Buffer.from('<p>')] }, 'protocol'],
    ['no access token', json(200, {}), 'protocol'],
  ])('gets %s: no picture was asked for, so none is charged', async (_what, grant, fault) => {
    const { run, service } = await bench(serviceAccount(), made, grant);
    expect(await thrownBy(run())).toMatchObject({ fault, possiblyCharged: false });
    expect(service.requests).toHaveLength(0);
  });

  it('is checked for the model list by counting, which is free', async () => {
    const { adapter, context, service, sent } = await bench('AQ.fake-key', () =>
      json(200, { totalTokens: 1 }),
    );
    expect(await adapter.listModels(context())).toContainEqual({
      upstreamModel: 'gemini-2.5-flash-image',
      description: 'Nano Banana',
    });
    expect(service.requests[0]?.url).toBe(
      '/v1/publishers/google/models/gemini-2.5-flash-image:countTokens',
    );
    expect(service.requests[0]).toMatchObject({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    });
    expect(sent()).toEqual({ contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] });
  });

  it('is accepted by a place that does not have the model which is counted for', async () => {
    const { adapter, context } = await bench('AQ.fake-key', () =>
      json(404, {
        error: { code: 404, message: 'Publisher model not found', status: 'NOT_FOUND' },
      }),
    );
    expect(await adapter.listModels(context())).toHaveLength(3);
  });

  it('lists no preview, which Google ends while we still name it', async () => {
    const { adapter, context } = await bench('AQ.fake-key', () => json(200, { totalTokens: 1 }));
    const listed = await adapter.listModels(context());
    expect(listed.filter(({ upstreamModel }) => upstreamModel.includes('preview'))).toEqual([]);
  });

  it('is not accepted by an answer that says so', async () => {
    const { adapter, context } = await bench('AQ.fake-key', () =>
      json(403, { error: { code: 403, message: 'No.', status: 'PERMISSION_DENIED' } }),
    );
    expect(await thrownBy(adapter.listModels(context()))).toMatchObject({ fault: 'auth' });
  });
});

describe('the address of Vertex AI', () => {
  it.each([
    ['AQ.fake-key', {}, 'https://aiplatform.googleapis.com/v1/publishers/google'],
    [
      serviceAccount(),
      {},
      'https://aiplatform.googleapis.com/v1beta1/projects/project-of-the-key/locations/global/publishers/google',
    ],
    [
      serviceAccount(),
      { region: 'europe-west4', project: 'mine' },
      'https://europe-west4-aiplatform.googleapis.com/v1beta1/projects/mine/locations/europe-west4/publishers/google',
    ],
    [
      serviceAccount(),
      { region: 'eu' },
      'https://aiplatform.eu.rep.googleapis.com/v1beta1/projects/project-of-the-key/locations/eu/publishers/google',
    ],
    [
      serviceAccount(),
      { region: 'us' },
      'https://aiplatform.us.rep.googleapis.com/v1beta1/projects/project-of-the-key/locations/us/publishers/google',
    ],
  ])('follows from credential and settings %#', (credential, settings, baseUrl) => {
    const service = { credential, settings: settingsSchema.parse(settings) };
    expect(googleVertex.baseUrl?.(service)).toBe(baseUrl);
  });

  it('needs a project', () => {
    const service = {
      credential: serviceAccount({ project_id: null }),
      settings: settingsSchema.parse({}),
    };
    expect(() => googleVertex.baseUrl?.(service)).toThrow('names no project');
  });
});

function readPart(part: string): unknown {
  const said: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
  return said;
}
