import { assert, expect, test } from 'vitest';
import { hurriedClock } from '../../../test/support/hurried-clock.ts';
import {
  makePicture,
  pngChunk,
  pngHeader,
  pngPixels,
  writePng,
} from '../../../test/support/pictures.ts';
import { noSignal, openTestHttp, serve } from '../../../test/support/services/outgoing.ts';
import { describeContract } from '../../../test/upstreams/contract.ts';
import { generationJob } from '../../../test/upstreams/jobs.ts';
import {
  azureDeploymentSubject,
  localaiSubject,
  openaiSubject,
  xaiSubject,
} from '../../../test/upstreams/openai-images.ts';
import { decodeBase64 } from '../../lib/pictures/base64.ts';
import { inspectImage } from '../../lib/pictures/inspect-image.ts';
import { openaiImagesKind } from './adapter.ts';

describeContract(openaiSubject(), 'OpenAI');
describeContract(azureDeploymentSubject(), 'Azure with deployment URLs');
describeContract(xaiSubject(), 'xAI');
describeContract(localaiSubject(), 'LocalAI');

test.each([
  ['sd-server', false],
  ['openai', true],
])('what is written into a picture by %s is handed on: %s', async (dialect, isKept) => {
  const words = 'a fox, steps 20, the-operators-model';
  const text = pngChunk('tEXt', Buffer.from(`parameters\0${words}`));
  const picture = writePng([pngHeader(), text, pngPixels(), pngChunk('IEND')]);
  const service = await serve((_request, response) => {
    response.end(JSON.stringify({ data: [{ b64_json: picture.toString('base64') }] }));
  });
  const config = { name: 'test', baseUrl: service.origin, settings: { dialect } };
  const adapter = openaiImagesKind.create(config, () => openTestHttp(service.origin));
  const context = { signal: noSignal, clock: hurriedClock(50), credential: null };
  const events = await Array.fromAsync(adapter.run(generationJob(openaiSubject()), context));
  const final = events.at(-1);
  assert(final?.kind === 'final', 'the last event is the picture');
  const { image } = final;
  const file = image.encoding === 'raw' ? image.bytes : decodeBase64(image.ascii);
  expect(file?.includes(words)).toBe(isKept);
  expect(inspectImage(image)).not.toBeNull();
});

test('a picture that lies at the service itself is fetched with the credential', async () => {
  const picture = await makePicture('png');
  const service = await serve(({ method }, response) => {
    response.end(method === 'GET' ? picture : '{"data":[{"url":"/files/1.png"}]}');
  });
  const config = { name: 'test', baseUrl: service.origin, settings: { dialect: 'generic' } };
  const adapter = openaiImagesKind.create(config, () => openTestHttp(service.origin));
  const context = { signal: noSignal, clock: hurriedClock(50), credential: 'sk-test' };
  const events = await Array.fromAsync(adapter.run(generationJob(openaiSubject()), context));
  expect(events.at(-1)).toMatchObject({ image: { bytes: picture } });
  expect(service.requests[1]).toMatchObject({
    url: '/files/1.png',
    headers: { authorization: 'Bearer sk-test' },
  });
});
