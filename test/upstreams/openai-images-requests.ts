/** What the adapter for the OpenAI Images API would send, for its tests. */

import { z } from 'zod';
import { capabilitiesOf } from '../../server/upstreams/openai-images/capabilities.ts';
import { pictureRequest } from '../../server/upstreams/openai-images/request.ts';
import { serviceOf } from '../../server/upstreams/openai-images/service.ts';
import { settingsSchema } from '../../server/upstreams/openai-images/settings.ts';
import type { ImageJob, InputImage } from '../../server/upstreams/upstream.ts';
import { joinedBody } from '../support/callers/joined-body.ts';
import { makePicture } from '../support/pictures.ts';
import { openTestHttp } from '../support/services/outgoing.ts';
import { plainJob } from '../support/upstreams/plain-job.ts';

function configOf(settings: Record<string, unknown>) {
  return { name: 'test', baseUrl: 'https://host/base/', settings: settingsSchema.parse(settings) };
}

function testService(settings: Record<string, unknown>) {
  return serviceOf(configOf(settings), openTestHttp('https://host'));
}

export function capabilities(
  settings: Record<string, unknown>,
  upstreamModel = 'gpt-image-2.5-flare',
) {
  return capabilitiesOf(testService(settings).traits(upstreamModel));
}

export function asked(
  settings: Record<string, unknown>,
  job: Partial<ImageJob> = {},
  credential: string | null = 'key',
) {
  const whole = { ...plainJob, upstreamModel: 'gpt-image-2.5-flare', ...job };
  return pictureRequest(whole, testService(settings), credential);
}

export async function sentJson(
  settings: Record<string, unknown>,
  job: Partial<ImageJob> = {},
): Promise<Record<string, unknown>> {
  const { request } = await asked(settings, job);
  return z.record(z.string(), z.unknown()).parse(JSON.parse(joinedBody(request.body).toString()));
}

export async function sample(format: 'png' | 'webp', alpha = false): Promise<InputImage> {
  const bytes = await makePicture(format, { alpha });
  return { bytes, format, width: 8, height: 6, hasAlpha: alpha };
}

export async function editWishes(count = 1): Promise<Partial<ImageJob>> {
  const picture = await sample('png');
  return { operation: 'edit', referenceImages: Array.from({ length: count }, () => picture) };
}
