import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { answersOfDns } from '../../../../test/support/callers/fetching.ts';
import { hurriedClock } from '../../../../test/support/hurried-clock.ts';
import { noSignal, serve, startProxy } from '../../../../test/support/services/outgoing.ts';
import { thrownBy } from '../../../../test/support/thrown-by.ts';
import { file, json } from '../../../../test/upstreams/ai-sdk-answers.ts';
import { openSdkBench, type VendorAnswer } from '../../../../test/upstreams/ai-sdk-bench.ts';
import { blackForestLabsSubject } from '../../../../test/upstreams/ai-sdk-black-forest-labs.ts';
import type { FakeAnswer } from '../../../../test/upstreams/contract-subject.ts';
import { givenAnswer } from '../../../../test/upstreams/given-answer.ts';
import { generationJob, promptCanary, realPicture } from '../../../../test/upstreams/jobs.ts';
import { must } from '../../../lib/assert.ts';
import type { GuardedHttp } from '../../../lib/outgoing/guarded-http.ts';
import { paintMask } from '../../wire/mask.ts';
import { aiSdkKind } from '../adapter.ts';

const picture = await realPicture();
const settings = { provider: 'black-forest-labs' };

function bench(answer: VendorAnswer, upstreamModel = 'flux-2-pro') {
  return openSdkBench({ settings, upstreamModel, answer, basePath: '/v1' });
}

/** Answers the submission, and each question after the job with the next of these. */
function telling(...statuses: readonly object[]): VendorAnswer {
  let asked = 0;
  return ({ method, url }, origin) => {
    if (method === 'POST')
      return json(200, { id: 'job-1', polling_url: `${origin}/poll?id=job-1` });
    if (url === '/sample.png') return file(picture);
    const status = statuses[Math.min(asked++, statuses.length - 1)];
    return json(200, { id: 'job-1', result: { sample: `${origin}/sample.png` }, ...status });
  };
}

const ready = telling({ status: 'Ready' });

/** Fails so many questions after the job, then has it ready. */
function failing(times: number, answer: FakeAnswer): { answer: VendorAnswer; jobs: () => number } {
  let failed = 0;
  let jobs = 0;
  return {
    jobs: () => jobs,
    answer: (request, origin) => {
      if (request.method === 'POST') jobs++;
      const fails = request.url.startsWith('/poll') && failed++ < times;
      return fails ? answer : ready(request, origin);
    },
  };
}

describe('a picture of FLUX', () => {
  const page = {
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: [Buffer.from('<p>')],
  };

  it.each([
    [3, '503', null, json(503, {})],
    [4, '503', 'unavailable', json(503, {})],
    [3, '429', null, json(429, {})],
    [1, '404', 'protocol', json(404, {})],
    [3, 'a web page', null, page],
    [4, 'a web page', 'protocol', page],
    [3, 'half an answer', null, { ...page, body: [Buffer.from('{"status":')] }],
    [1, 'an answer that says nothing', 'protocol', json(200, {})],
  ])(
    'is submitted once when %i questions after it end in %s, and ends in %s',
    async (times, _what, fault, failure) => {
      const { answer, jobs } = failing(times, failure);
      const { run } = await bench(answer);
      const outcome = await run().then(
        () => null,
        (error: unknown) => error,
      );
      if (fault === null) expect(outcome).toBeNull();
      else expect(outcome).toMatchObject({ fault, possiblyCharged: true });
      expect(jobs()).toBe(1);
    },
  );

  it('is asked for with its sides alone, and in the format', async () => {
    const { final, sent, service } = await bench(ready);
    const { warnings, upstreamRequestId } = await final({
      size: { width: 1536, height: 1024 },
      format: 'jpeg',
    });
    expect(service.requests[0]).toMatchObject({
      url: '/v1/flux-2-pro',
      headers: { 'x-key': 'key-fake', 'user-agent': 'tintype' },
    });
    expect(sent()).toEqual({
      prompt: promptCanary,
      width: 1536,
      height: 1024,
      output_format: 'jpeg',
    });
    expect(warnings).toEqual([]);
    expect(upstreamRequestId).toBe('job-1');
  });

  it.each([
    ['flux-pro-1.1', { width: 1440, height: 960 }],
    ['flux-kontext-pro', { aspect_ratio: '3:2' }],
    ['flux-pro-1.1-ultra', { aspect_ratio: '3:2' }],
  ])('is asked of %s within what it makes', async (upstreamModel, shape) => {
    const { final, sent } = await bench(ready, upstreamModel);
    const { warnings } = await final({ size: { width: 1536, height: 1024 } });
    expect(sent()).toEqual({ prompt: promptCanary, output_format: 'png', ...shape });
    expect(warnings).toEqual(['size_approximated']);
  });

  it.each([
    [2048, 2048, { width: 1920, height: 1920 }],
    [3840, 2160, { width: 1920, height: 1088 }],
    [1000, 1000, { width: 1008, height: 1008 }],
  ])(
    'of %i × %i is asked of FLUX.2 as the nearest that the SDK sends',
    async (width, height, made) => {
      const { final, sent } = await bench(ready);
      const { warnings } = await final({ size: { width, height } });
      expect(sent()).toEqual({ prompt: promptCanary, output_format: 'png', ...made });
      expect(warnings).toEqual(['size_approximated']);
    },
  );

  it('is asked of FLUX 3 with nothing but its proportions, which refuses what it does not know', async () => {
    const { final, edit, run, sent } = await bench(ready, 'flux-3-image');
    const { warnings } = await final({ size: { width: 1400, height: 1000 } });
    expect(sent()).toEqual({ prompt: promptCanary, aspect_ratio: '7:5' });
    expect(warnings).toEqual(['size_approximated']);
    expect(await thrownBy(run(await edit(1)))).toMatchObject({ fault: 'unsupported' });
  });

  it('carries every reference image', async () => {
    const { run, edit, sent } = await bench(ready);
    const job = await edit(3);
    await run(job);
    const [first, second, third] = job.referenceImages.map(({ bytes }) => bytes.toString('base64'));
    expect(sent()).toMatchObject({
      input_image: first,
      input_image_2: second,
      input_image_3: third,
    });
  });

  it('carries a mask in which white is filled', async () => {
    const { run, edit, sent } = await bench(ready, 'flux-pro-1.0-fill');
    const job = await edit(1, true);
    await run(job);
    const mask = job.mask && (await paintMask(job.mask, 'white')).toString('base64');
    expect(sent()).toMatchObject({
      image: job.referenceImages[0]?.bytes.toString('base64'),
      mask,
    });
  });

  it('carries a photograph under a mask as it is stored, not as its EXIF turns it', async () => {
    const { run, edit, sent } = await bench(ready, 'flux-pro-1.0-fill');
    const job = await edit(1, true);
    const reference = must(job.referenceImages[0], 'a reference image');
    const bytes = await sharp(reference.bytes).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    await run({ ...job, referenceImages: [{ ...reference, bytes, format: 'jpeg' }] });
    const file = Buffer.from(String(Object(sent())['image']), 'base64');
    const { width, height, orientation } = await sharp(file).metadata();
    expect({ width, height }).toEqual({ width: reference.width, height: reference.height });
    expect(orientation).toBeUndefined();
  });

  it.each([
    ['it is being made', telling({ status: 'Pending' }, { status: 'Ready' })],
    ['it has only been submitted', ready],
    ['that is called its state', telling({ state: 'Pending' }, { state: 'Ready' })],
    [
      'what is being done for it has names that the SDK does not know',
      telling({ status: 'Reasoning', result: null }, { status: 'Generating' }, { status: 'Ready' }),
    ],
  ])('is accepted first, while %s', async (_what, answer) => {
    const { run } = await bench(answer);
    expect(await run()).toMatchObject([
      { kind: 'accepted', upstreamRequestId: 'job-1' },
      { kind: 'final', image: { encoding: 'raw' }, upstreamRequestId: 'job-1' },
    ]);
  });
});

describe('Black Forest Labs', () => {
  it.each([
    ['Request Moderated', 'request_moderated'],
    ['Content Moderated', 'content_moderated'],
  ])('is asked no more once it said "%s"', async (status, upstreamCode) => {
    const { run, service } = await bench(telling({ status, result: null }));
    expect(await thrownBy(run())).toMatchObject({ fault: 'refused', upstreamCode });
    expect(service.requests).toHaveLength(2);
  });

  it.each([
    ['Error', 'unavailable'],
    ['Failed', 'unavailable'],
    ['Task not found', 'unavailable'],
    ['Dreaming', 'protocol'],
  ])('that says "%s" has failed: %s', async (status, fault) => {
    const { run } = await bench(telling({ status, result: null }));
    const error = await thrownBy(run());
    expect(error).toMatchObject({ fault, possiblyCharged: true, upstreamRequestId: 'job-1' });
  });

  it.each([
    [422, 'Content Moderated', 'refused'],
    [503, 'Request Moderated', 'refused'],
    [422, 'Error', 'unavailable'],
    [503, 'Error', 'unavailable'],
    [404, 'Task not found', 'unavailable'],
  ])('that says with %i what became of a job means the same: %s', async (code, status, fault) => {
    const { run } = await bench(({ method }, origin) =>
      method === 'POST'
        ? json(200, { id: 'job-1', polling_url: `${origin}/poll` })
        : json(code, { id: 'job-1', status, result: null, details: {} }),
    );
    const error = await thrownBy(run());
    expect(error).toMatchObject({ fault, possiblyCharged: true, upstreamRequestId: 'job-1' });
  });

  it('has declined what it calls moderated as a state', async () => {
    const { run } = await bench(telling({ state: 'Content Moderated', result: null }));
    expect(await thrownBy(run())).toMatchObject({ fault: 'refused' });
  });

  it('that does not know its own job any more does not make the model unknown', async () => {
    const { run } = await bench(({ method }, origin) =>
      method === 'POST'
        ? json(200, { id: 'job-1', polling_url: `${origin}/poll` })
        : json(404, { detail: 'Not Found' }),
    );
    expect(await thrownBy(run())).toMatchObject({ fault: 'protocol', possiblyCharged: true });
  });

  it('says with 422 that a field is wrong', async () => {
    const detail = [{ loc: ['body', 'width'], msg: 'too small', type: 'greater_than_equal' }];
    const { run } = await bench(() => json(422, { detail }));
    expect(await thrownBy(run())).toMatchObject({
      fault: 'bad_request',
      upstreamCode: 'greater_than_equal',
      possiblyCharged: false,
    });
  });

  it('is stopped at once though the SDK still waits for its next question', async () => {
    const stop = new AbortController();
    const { run, service } = await bench(telling({ status: 'Pending' }));
    const running = run({}, { signal: stop.signal });
    await expect.poll(() => service.requests.length).toBeGreaterThan(1);
    stop.abort();
    expect(await thrownBy(running)).toMatchObject({ fault: 'canceled', possiblyCharged: true });
  });
});

it.each(['https://api.bfl.ai/v1', 'https://api.eu.bfl.ai/v1', 'https://api.us1.bfl.ai/v1'])(
  'is asked with the key at the cluster that has the job, where the base URL is %s',
  async (baseUrl) => {
    const pollingUrl = 'https://api.eu2.bfl.ai/v1/get_result?id=job-1';
    const asked: object[] = [];
    const unused = () => Promise.reject(new Error('the test has no network'));
    const http: GuardedHttp = {
      send: async ({ url, headers }) => {
        asked.push({ url: url.href, key: headers?.['x-key'] });
        const sample = 'https://delivery.eu2.bfl.ai/a.png';
        const state = { id: 'job-1', status: 'Ready', result: { sample } };
        const said = url.href === pollingUrl ? state : { id: 'job-1', polling_url: pollingUrl };
        return givenAnswer([JSON.stringify(said)]);
      },
      download: async (url) => {
        asked.push({ url });
        return picture;
      },
      fetch: unused,
      openSocket: unused,
      close: async () => {},
    };
    const adapter = aiSdkKind.create({ name: 'bench', baseUrl, settings }, () => http);
    const context = { signal: noSignal, clock: hurriedClock(50), credential: 'key-fake' };
    const events = await Array.fromAsync(
      adapter.run(generationJob(blackForestLabsSubject), context),
    );
    expect(events.at(-1)).toMatchObject({ kind: 'final', image: { bytes: picture } });
    expect(asked).toEqual([
      { url: `${baseUrl}/flux-2-pro`, key: 'key-fake' },
      { url: pollingUrl, key: 'key-fake' },
      { url: 'https://delivery.eu2.bfl.ai/a.png' },
    ]);
  },
);

describe('where the picture lies', () => {
  it('nobody is told the key, and a moment’s trouble is borne', async () => {
    let asked = 0;
    const delivery = await serve((_request, response) => {
      if (asked++ === 0) response.writeHead(503).end();
      else response.writeHead(200, { 'content-type': 'image/png' }).end(picture);
    });
    const answer: VendorAnswer = (_request, origin) =>
      json(200, {
        id: 'job-1',
        polling_url: `${origin}/poll`,
        status: 'Ready',
        result: { sample: 'http://delivery.example/sample.png' },
      });
    const ports: Record<string, number> = { 'delivery.example:80': delivery.port };
    const proxy = await startProxy(ports);
    const { service, final } = await openSdkBench({
      settings,
      upstreamModel: 'flux-2-pro',
      answer,
      http: { proxy: proxy.url, resolve: answersOfDns('93.184.216.34') },
    });
    ports[`127.0.0.1:${service.port}`] = service.port;
    expect(await final()).toMatchObject({ image: { encoding: 'raw' } });
    expect(delivery.requests.map(({ url }) => url)).toEqual(['/sample.png', '/sample.png']);
    expect(JSON.stringify(delivery.requests[0]?.headers)).not.toContain('key-fake');
  });

  it('is not asked when a public name leads to a private address', async () => {
    const delivery = await serve((_request, response) => response.end(picture));
    const sample = `http://delivery.example:${delivery.port}/sample.png`;
    const { run } = await openSdkBench({
      settings,
      upstreamModel: 'flux-2-pro',
      answer: (_request, origin) =>
        json(200, { id: '1', polling_url: `${origin}/poll`, status: 'Ready', result: { sample } }),
      http: { resolve: answersOfDns('127.0.0.1') },
    });
    expect(await thrownBy(run())).toMatchObject({ fault: 'protocol', possiblyCharged: true });
    expect(delivery.connections()).toBe(0);
  });
});

it('lists what it knows of the models once the key is accepted', async () => {
  const { adapter, context, service } = await bench(() => json(200, { credits: 10 }));
  const listed = await adapter.listModels(context());
  expect(listed.map(({ upstreamModel }) => upstreamModel)).toContain('flux-2-pro');
  expect(service.requests.map(({ url }) => url)).toEqual(['/v1/credits']);
});
