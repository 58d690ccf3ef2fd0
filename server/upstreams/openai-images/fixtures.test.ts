/** Each dialect: exactly what is sent for a job, and what is read from its documented answers. */
import { readdirSync, readFileSync } from 'node:fs';
import { assert, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { imageFormats } from '../../../shared/image-options.ts';
import { joinedBody } from '../../../test/support/callers/joined-body.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { makePicture } from '../../../test/support/pictures.ts';
import type { GuardedHttp, OutgoingRequest } from '../../lib/outgoing/guarded-http.ts';
import { Base64Piece } from '../../lib/pictures/base64-pieces.ts';
import {
  type Adapter,
  faults,
  type ImageJob,
  type InputImage,
  UpstreamError,
  type UpstreamEvent,
  type UpstreamFinal,
} from '../upstream.ts';
import { paintMask } from '../wire/mask.ts';
import { openaiImagesKind } from './adapter.ts';
import { dialects } from './dialects.ts';

const folder = new URL('fixtures/', import.meta.url);

const answerSchema = z.strictObject({
  status: z.int().default(200),
  headers: z.record(z.string(), z.string()).default({}),
  json: z.unknown().optional(),
  events: z.array(z.looseObject({ type: z.string().optional() })).optional(),
  base64: z.string().optional(),
});
type Answer = z.infer<typeof answerSchema>;

const exchangeSchema = z.strictObject({
  upstreamModel: z.string().optional(),
  job: z
    .looseObject({
      references: z.array(z.enum(imageFormats)).default([]),
      mask: z.boolean().default(false),
    })
    .default({ references: [], mask: false }),
  request: z
    .strictObject({
      path: z.string(),
      headers: z.record(z.string(), z.string()).default({}),
      lacks: z.array(z.string()).default([]),
      json: z.unknown().optional(),
      form: z.array(z.tuple([z.string(), z.string()])).optional(),
      files: z.array(z.tuple([z.string(), z.string(), z.string(), z.string()])).optional(),
    })
    .optional(),
  answer: answerSchema.optional(),
  reads: z
    .looseObject({
      partials: z.int().optional(),
      address: z.string().optional(),
      picture: z.enum(['png', 'jpeg']).default('png'),
    })
    .optional(),
  fault: z.enum(faults).optional(),
});
type Exchange = z.infer<typeof exchangeSchema>;

const fixtureSchema = z.strictObject({
  dialect: z.string(),
  source: z.url(),
  upstreamModel: z.string(),
  exchanges: z.record(z.string(), exchangeSchema),
  models: z.strictObject({
    path: z.string().nullable(),
    answer: z.unknown().optional(),
    lists: z.array(z.string()),
  }),
});

const fixtures = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => fixtureSchema.parse(JSON.parse(readFileSync(new URL(name, folder), 'utf8'))));

const samples = {
  png: await makePicture('png'),
  jpeg: await makePicture('jpeg'),
  webp: await makePicture('webp'),
  mask: await makePicture('png', { alpha: true }),
};
const placeholders: Readonly<Record<string, Buffer>> = {
  ...samples,
  'white mask': await paintMask({ bytes: samples.mask }, 'white'),
};

test('there is one fixture for each dialect', () => {
  const covered = fixtures.map(({ dialect }) => dialect).sort();
  expect(covered).toEqual(dialects.map(({ name }) => name).sort());
});

describe.each(fixtures)('$dialect', ({ dialect, upstreamModel, exchanges, models }) => {
  test.each(Object.entries(exchanges))('%s', async (_name, exchange) => {
    const told = tellingHttp(exchange.answer);
    const adapter = adapterOf(dialect, told.http);
    const job = jobOf(exchange, exchange.upstreamModel ?? upstreamModel);
    const { events, error } = await eventsOf(adapter, job);

    expect(error?.fault).toBe(exchange.fault);
    if (exchange.request) await expectRequest(told.requests[0], exchange.request);
    if (!exchange.answer) expect(told.requests).toEqual([]);
    if (exchange.reads) expectRead(events, told.downloads, exchange.reads);
  });

  test('lists its models', async () => {
    const told = tellingHttp({ status: 200, headers: {}, json: models.answer });
    const listed = await adapterOf(dialect, told.http).listModels(context());
    expect(listed.map((model) => model.upstreamModel)).toEqual(models.lists);
    expect(told.requests.map(pathOf)).toEqual(models.path === null ? [] : [models.path]);
  });
});

type Fixture = z.infer<typeof fixtureSchema>;

function adapterOf(dialect: Fixture['dialect'], http: GuardedHttp): Adapter {
  return openaiImagesKind.create(
    { name: 'test', baseUrl: null, settings: { dialect } },
    () => http,
  );
}

function jobOf({ job }: Exchange, upstreamModel: string): ImageJob {
  const { references, mask, ...overrides } = job;
  const picture = (name: keyof typeof samples, format: InputImage['format']): InputImage => ({
    bytes: samples[name],
    format,
    width: 8,
    height: 6,
    hasAlpha: name === 'mask',
  });
  return {
    operation: references.length === 0 ? 'generation' : 'edit',
    upstreamModel,
    prompt: 'A fox in the snow',
    size: { width: 1024, height: 1024 },
    quality: 'auto',
    background: 'auto',
    format: 'png',
    compression: null,
    partialImages: 0,
    inputFidelity: null,
    moderation: null,
    pictureIndex: 0,
    traceId: 'req_test',
    attempt: 1,
    extra: {},
    ...overrides,
    referenceImages: references.map((format) => picture(format, format)),
    mask: mask ? picture('mask', 'png') : null,
  };
}

function context() {
  return { signal: new AbortController().signal, clock: new ManualClock(), credential: 'key' };
}

async function eventsOf(adapter: Adapter, job: ImageJob) {
  const events: UpstreamEvent[] = [];
  try {
    for await (const event of adapter.run(job, context())) events.push(event);
    return { events, error: undefined };
  } catch (error) {
    assert(error instanceof UpstreamError, String(error));
    return { events, error };
  }
}

/** Answers every request alike, and tells what was asked for. */
function tellingHttp(answer: Answer | undefined) {
  const requests: OutgoingRequest[] = [];
  const downloads: string[] = [];
  const http: GuardedHttp = {
    send: async (request) => {
      requests.push(request);
      assert(answer, 'nothing is to be sent');
      return { ...wired(answer), discard: () => {} };
    },
    download: async (url) => {
      downloads.push(url);
      return Buffer.from(pixels.png, 'base64');
    },
    fetch: () => assert.fail('nothing is fetched'),
    openSocket: () => assert.fail('no socket is opened'),
    close: async () => {},
  };
  return { http, requests, downloads };
}

function wired({ status, headers, json, events, base64 }: Answer) {
  const type = events ? 'text/event-stream' : 'application/json';
  const text = events
    ? events.map(({ type: name, ...data }) => eventText(name, data)).join('')
    : JSON.stringify(json);
  const body = base64 === undefined ? Buffer.from(text) : Buffer.from(base64, 'base64');
  return { status, headers: { 'content-type': type, ...headers }, body: pieces(body) };
}

function eventText(name: string | undefined, data: object): string {
  const json = JSON.stringify(name === undefined ? data : { type: name, ...data });
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${json}\n\n`;
}

async function* pieces(body: Buffer) {
  yield body;
}

async function expectRequest(
  request: OutgoingRequest | undefined,
  { path, headers, lacks, json, form, files }: NonNullable<Exchange['request']>,
): Promise<void> {
  assert(request, 'something is sent');
  expect(request.method).toBe('POST');
  expect(pathOf(request)).toBe(path);
  expect(request.headers).toMatchObject(headers);
  for (const name of lacks) expect(request.headers).not.toHaveProperty(name);
  const body = bodyOf(request);
  if (json !== undefined) {
    expect(withSeed(z.record(z.string(), z.unknown()).parse(JSON.parse(body.toString())))).toEqual(
      expanded(json),
    );
    return;
  }
  const sent = await new Response(body, { headers: { ...request.headers } }).formData();
  const parts = [...sent];
  expect(
    parts.flatMap(([name, value]) => (typeof value === 'string' ? [[name, anySeed(value)]] : [])),
  ).toEqual(form?.map(([name, value]) => [name, value === '{seed}' ? sent.get('seed') : value]));
  const sentFiles = parts.flatMap(([name, value]) =>
    typeof value === 'string' ? [] : [{ name, value }],
  );
  expect(
    await Promise.all(
      sentFiles.map(async ({ name, value }) => [
        name,
        value.name,
        value.type,
        Buffer.from(await value.arrayBuffer()).toString('base64'),
      ]),
    ),
  ).toEqual(expanded(files));
}

function pathOf({ url }: OutgoingRequest): string {
  return url.pathname + url.search;
}

function bodyOf({ body }: OutgoingRequest): Buffer {
  const piece = z.union([z.instanceof(Buffer), z.instanceof(Base64Piece)]);
  return joinedBody(z.array(piece).parse(body));
}

/** With the placeholders of a fixture replaced by what they stand for. */
function expanded(value: unknown): unknown {
  const text = JSON.stringify(value).replaceAll(/\{([a-z ]+)\}/g, (whole, name: string) => {
    return placeholders[name]?.toString('base64') ?? whole;
  });
  return JSON.parse(text);
}

function withSeed(body: Record<string, unknown>): Record<string, unknown> {
  const { prompt, seed } = body;
  return {
    ...body,
    ...(typeof prompt === 'string' && { prompt: anySeed(prompt) }),
    ...(typeof seed === 'number' && { seed: '{seed}' }),
  };
}

function anySeed(text: string): string {
  return text.replace(/(?<="seed":)\d+/, '{seed}');
}

const pixels = {
  png: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  jpeg: '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAACf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AKp//2Q==',
};

function expectRead(
  events: readonly UpstreamEvent[],
  downloads: readonly string[],
  { partials, address, picture, ...read }: NonNullable<Exchange['reads']>,
): void {
  const final = events.at(-1);
  assert(final?.kind === 'final', 'there is a final');
  expect(final).toMatchObject(read satisfies Partial<UpstreamFinal>);
  expect(downloads).toEqual(address === undefined ? [] : [address]);
  const { image } = final;
  const base64 = image.encoding === 'raw' ? image.bytes.toString('base64') : image.ascii.toString();
  expect(base64).toBe(pixels[picture]);
  if (partials === undefined) return;
  expect(events.filter(({ kind }) => kind === 'partial').length).toBe(partials);
}
