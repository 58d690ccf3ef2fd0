import { expect, test } from 'vitest';
import { hurriedClock } from '../../../test/support/hurried-clock.ts';
import { noSignal, openTestHttp, serve } from '../../../test/support/outgoing.ts';
import { makePicture } from '../../../test/support/pictures.ts';
import { describeContract } from '../../../test/upstreams/contract.ts';
import { generationJob } from '../../../test/upstreams/jobs.ts';
import {
  azureDeploymentSubject,
  localaiSubject,
  openaiSubject,
  xaiSubject,
} from '../../../test/upstreams/openai-images.ts';
import { openaiImagesKind } from './adapter.ts';

describeContract(openaiSubject(), 'OpenAI');
describeContract(azureDeploymentSubject(), 'Azure with deployment URLs');
describeContract(xaiSubject(), 'xAI');
describeContract(localaiSubject(), 'LocalAI');

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
