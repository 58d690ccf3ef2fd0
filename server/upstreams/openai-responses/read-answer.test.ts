import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { givenAnswer } from '../../../test/upstreams/given-answer.ts';
import type { OutgoingAnswer } from '../../lib/outgoing/outgoing-answer.ts';
import { type Fault, UpstreamError, type UpstreamEvent } from '../upstream.ts';
import { type ReadPicture, readAnswer } from './read-answer.ts';

const responseId = 'resp_0a51c3f2e8d94b7a00692038f0c2d481a7';
const finalPicture = /"result":"([^"]+)"/.exec(recorded('picture.sse'))?.[1];

describe('a recorded stream with a picture', () => {
  it('is accepted, shown in part and made', async () => {
    const { events, picture } = await read(recorded('picture.sse'), { partialImages: 2 });
    expect(events.map(({ kind }) => kind)).toEqual(['accepted', 'partial', 'partial']);
    expect(picture).toMatchObject({
      image: { encoding: 'base64', ascii: Buffer.from(finalPicture ?? '') },
      revisedPrompt: 'A red fox asleep in fresh snow, soft morning light.',
      actual: { quality: 'low', background: 'opaque' },
    });
  });

  it('is left as soon as the picture is there, before its second copy', async () => {
    const pieces = eventsOf(recorded('picture.sse'));
    const source = answerOf(pieces);
    const { picture } = await read(source);
    expect(picture?.tokens).toBeNull();
    expect(source.read.at(-1)).toContain('"type":"response.output_item.done"');
    expect(source.read.length).toBeLessThan(pieces.length - 1);
    expect(source.isClosed).toBe(true);
  });

  it('is left by a consumer that stops', async () => {
    const source = answerOf(eventsOf(recorded('picture.sse')));
    const events = readAnswer(source.answer, { partialImages: 0 });
    await events.next();
    expect(source.isClosed).toBe(false);
    // What a consumer that leaves its loop does; the value is of no use to anybody.
    await events.return({} as ReadPicture);
    expect(source.isClosed).toBe(true);
  });

  it.each([0, 1, 2, 3])('never shows more than the %i partial images asked for', async (asked) => {
    const { events } = await read(recorded('picture.sse'), { partialImages: asked });
    const shown = events.filter(({ kind }) => kind === 'partial');
    expect(shown.map((event) => event.kind === 'partial' && event.index)).toEqual(
      [0, 1].slice(0, asked),
    );
  });

  it('shows a partial image once that is sent twice', async () => {
    const pieces = eventsOf(recorded('picture.sse'));
    const repeated = pieces.flatMap((piece) =>
      piece.includes('"partial_image_index":0') ? [piece, piece] : [piece],
    );
    const { events } = await read(answerOf(repeated), { partialImages: 3 });
    expect(events.filter(({ kind }) => kind === 'partial')).toHaveLength(2);
  });

  it('says so when none of the partial images came that were asked for', async () => {
    const asked = await read(recorded('picture-at-the-end.sse'), { partialImages: 1 });
    expect(asked.picture?.warnings).toEqual(['partial_images_ignored']);
    const shown = await read(recorded('picture.sse'), { partialImages: 3 });
    expect(shown.picture?.warnings).toEqual([]);
    const unasked = await read(recorded('picture-at-the-end.sse'));
    expect(unasked.picture?.warnings).toEqual([]);
  });

  it("carries the service's own request ID, or else the response's", async () => {
    const named = await read(recorded('picture.sse'), { headers: { 'x-request-id': 'req_7' } });
    expect(named.events[0]).toEqual({ kind: 'accepted', upstreamRequestId: 'req_7' });
    expect(named.picture?.upstreamRequestId).toBe('req_7');

    const unnamed = await read(recorded('picture.sse'));
    expect(unnamed.events[0]).toEqual({ kind: 'accepted', upstreamRequestId: responseId });
    expect(unnamed.picture?.upstreamRequestId).toBe(responseId);
  });

  it('shows no partial image that is not base64', async () => {
    const marked = recorded('picture.sse').replace('"partial_image_b64":"', '$&<');
    const { events, picture } = await read(marked, { partialImages: 2 });
    expect(events.map(({ kind }) => kind)).toEqual(['accepted', 'partial']);
    expect(picture).not.toBeNull();
  });

  it('is understood without names of events, and with signs of life in between', async () => {
    const pieces = eventsOf(recorded('picture.sse')).flatMap((piece) => [
      ': keep-alive\n\n',
      'event: keepalive\ndata: {"type":"keepalive","sequence_number":1}\n\n',
      'data: {}\n\n',
      piece.replace(/^event: .*\n/, ''),
    ]);
    const { events, picture } = await read(answerOf(pieces), { partialImages: 1 });
    expect(events.map(({ kind }) => kind)).toEqual(['accepted', 'partial']);
    expect(picture).not.toBeNull();
  });

  it('is understood by the names of events alone', async () => {
    const unnamed = recorded('picture.sse').replaceAll(/^data: \{"type":"[^"]+",/gm, 'data: {');
    expect((await read(unnamed)).picture).not.toBeNull();
  });

  it('has a picture whatever the status of its item says', async () => {
    const generating = recorded('picture.sse').replaceAll(
      '"type":"image_generation_call","status":"completed"',
      '"type":"image_generation_call","status":"generating"',
    );
    expect((await read(generating)).picture?.image).toMatchObject({ encoding: 'base64' });
  });

  it('does not take what was asked for as what was chosen', async () => {
    const vague = recorded('picture.sse').replaceAll('"quality":"low"', '"quality":"auto"');
    expect((await read(vague)).picture?.actual.quality).toBeNull();
  });

  it('is read to the end where the picture comes only there, with the token counts', async () => {
    const { events, picture } = await read(recorded('picture-at-the-end.sse'));
    expect(events.map(({ kind }) => kind)).toEqual(['accepted']);
    expect(picture).toMatchObject({
      image: { encoding: 'base64', ascii: Buffer.from(finalPicture ?? '') },
      tokens: { input: 63, output: 272, inputText: 23, inputImage: 40 },
    });
  });

  it('may be one JSON document where a gateway does not stream, whatever either is called', async () => {
    const [last = ''] = /(?<=data: ).*(?=\n\n$)/.exec(recorded('picture-at-the-end.sse')) ?? [];
    // The recording is ours.
    const { response } = JSON.parse(last) as { response: unknown };
    const document = JSON.stringify(response);
    const image = { encoding: 'base64', ascii: Buffer.from(finalPicture ?? '') };
    const told = { image, tokens: { output: 272 }, upstreamRequestId: responseId };
    for (const type of ['application/json; charset=utf-8', 'text/event-stream', 'text/plain']) {
      const headers = { 'content-type': type };
      expect((await read(document, { headers })).picture).toMatchObject(told);
      expect((await read(recorded('picture.sse'), { headers })).picture).toMatchObject({ image });
    }
  });
});

describe('a recorded stream without a picture', () => {
  it.each<[string, Fault, string | null, boolean]>([
    ['moderation-blocked.sse', 'refused', 'moderation_blocked', false],
    ['refusal.sse', 'refused', 'refusal', false],
    ['incomplete.sse', 'refused', 'content_filter', false],
    ['error-nested.sse', 'quota', 'insufficient_quota', false],
    ['error-flat.sse', 'busy', 'rate_limit_exceeded', false],
    ['response-failed.sse', 'unavailable', 'server_error', true],
    ['words.sse', 'protocol', null, true],
  ])('%s is the fault %s', async (name, fault, upstreamCode, possiblyCharged) => {
    const { events, error } = await read(recorded(name));
    expect(events).toEqual([{ kind: 'accepted', upstreamRequestId: responseId }]);
    expect(error).toMatchObject({
      fault,
      upstreamCode,
      possiblyCharged,
      upstreamRequestId: responseId,
      retryAfterMs: fault === 'busy' ? 12_000 : null,
    });
  });

  it.each<[string, Fault]>([
    ['image_content_policy_violation', 'refused'],
    ['invalid_prompt', 'refused'],
    ['bio_policy', 'refused'],
    ['misalignment_policy_violation', 'refused'],
    ['data_residency_mismatch', 'unsupported'],
    ['invalid_image', 'bad_request'],
    ['invalid_image_format', 'bad_request'],
    ['invalid_base64_image', 'bad_request'],
    ['invalid_image_url', 'bad_request'],
    ['image_too_large', 'bad_request'],
    ['image_too_small', 'bad_request'],
    ['image_parse_error', 'bad_request'],
    ['invalid_image_mode', 'bad_request'],
    ['image_file_too_large', 'bad_request'],
    ['unsupported_image_media_type', 'bad_request'],
    ['empty_image_file', 'bad_request'],
    ['failed_to_download_image', 'bad_request'],
    ['image_file_not_found', 'bad_request'],
    ['rate_limit_exceeded', 'busy'],
    ['server_error', 'unavailable'],
    ['vector_store_timeout', 'unavailable'],
  ])('a response that failed with %s is %s', async (code, fault) => {
    const failed = recorded('response-failed.sse').replaceAll('"server_error"', `"${code}"`);
    expect((await read(failed)).error).toMatchObject({ fault, upstreamCode: code });
  });

  it.each<[string, Fault]>([
    ['max_output_tokens', 'protocol'],
    ['max_messages', 'protocol'],
    ['steered', 'protocol'],
    ['anything_new', 'unavailable'],
  ])('a response incomplete for %s is %s', async (reason, fault) => {
    const incomplete = recorded('incomplete.sse').replaceAll('content_filter', reason);
    const { error } = await read(incomplete);
    expect(error).toMatchObject({ fault, upstreamCode: reason, possiblyCharged: true });
  });

  it.each<[string, Record<string, unknown>, Fault]>([
    ['a field of the tool', { code: 'invalid_value', param: 'tools[0].size' }, 'bad_request'],
    ['the host model', { code: 'invalid_value', param: 'model' }, 'unsupported'],
    ['the image model', { code: 'invalid_value', param: 'tools[0].model' }, 'unsupported'],
    ['the status', { code: 429 }, 'busy'],
    ['the status of a gateway that waited in vain', { code: 504 }, 'timeout'],
    ['nothing', { code: null }, 'unavailable'],
  ])('an unknown error that names %s, flat or nested', async (_what, error, fault) => {
    for (const data of [
      { type: 'error', sequence_number: 2, ...error },
      { type: 'error', sequence_number: 2, error },
      { error },
    ]) {
      const { error: thrown } = await read(`data: ${JSON.stringify(data)}\n\n`);
      const possiblyCharged = fault === 'unavailable' || fault === 'timeout';
      expect(thrown).toMatchObject({ fault, possiblyCharged });
    }
  });

  it.each<[string, Fault]>([
    ['invalid_request_error', 'bad_request'],
    ['image_generation_user_error', 'bad_request'],
    ['server_error', 'unavailable'],
  ])('an unknown error of the type %s is %s', async (type, fault) => {
    const data = JSON.stringify({ type: 'error', error: { type, code: 'odd' } });
    const { error } = await read(`event: error\ndata: ${data}\n\n`);
    expect(error).toMatchObject({ fault, upstreamCode: 'odd' });
  });

  it('with a failed image call that says nothing is unavailable', async () => {
    const item = '{"type":"image_generation_call","status":"failed","result":null}';
    const stream = `data: {"type":"response.output_item.done","item":${item}}\n\n`;
    const { error } = await read(stream);
    expect(error).toMatchObject({ fault: 'unavailable', possiblyCharged: true });
  });

  it('with a response that failed and says no more is unavailable', async () => {
    const response = '{"status":"failed","error":null,"output":[]}';
    const { error } = await read(`data: {"type":"response.failed","response":${response}}\n\n`);
    expect(error).toMatchObject({ fault: 'unavailable', possiblyCharged: true });
  });

  it('that was declined stays so whatever the host model says behind it', async () => {
    const word = '{"type":"message","content":[{"type":"output_text"}]}';
    const more = `data: {"type":"response.output_item.done","item":${word}}\n\n`;
    const end = 'data: {"type":"response.completed","response":{"output":[]}}\n\n';
    const declined = eventsOf(recorded('refusal.sse')).slice(0, -1);
    const { error } = await read([...declined, more, end].join(''));
    expect(error).toMatchObject({ fault: 'refused', possiblyCharged: false });
  });

  it('that has ended the response may keep its connection', async () => {
    const headers = { 'content-type': 'text/event-stream' };
    const answer = givenAnswer(['data: {"type":"response.completed"}\n\n', ': more\n\n'], {
      headers,
    });
    await read(Object.assign({ read: [], isClosed: false }, { answer }), { headers });
    expect(answer.wasLetEnd()).toBe(true);
  });

  it('that ends before the response does is unavailable', async () => {
    const [begin = ''] = eventsOf(recorded('picture.sse'));
    const { events, error } = await read(begin);
    expect(events).toHaveLength(1);
    expect(error).toMatchObject({ fault: 'unavailable', possiblyCharged: true });
  });

  it.each([
    'data: {"type":"response.completed"}\n\n',
    'data: {"type":"response.completed","response":"none"}\n\n',
    'data: {"type":"response.completed","response":{"output":[null,7,{"type":4}]}}\n\n',
    'data: {"type":"response.completed","response":{"output":"none"}}\n\n',
    'data: null\n\n',
    'data: 7\n\n',
    'data: {\n\n',
    '<!doctype html><title>Hello</title>\n\n',
    '',
  ])('%j is a protocol fault', async (stream) => {
    const { error } = await read(stream);
    expect(error).toMatchObject({ fault: 'protocol', possiblyCharged: true });
  });

  it.each(['null', '[]', '{}', '{"output":[]}', '{"status":"completed","error":null}', ''])(
    'the JSON document %j is a protocol fault',
    async (document) => {
      const headers = { 'content-type': 'application/json' };
      const { error } = await read(document, { headers });
      expect(error).toMatchObject({ fault: 'protocol', possiblyCharged: true });
    },
  );

  it('finds the error in a JSON document of status 200', async () => {
    const headers = { 'content-type': 'application/json' };
    const { error } = await read(recorded('error-quota.json'), { headers });
    expect(error).toMatchObject({ fault: 'quota', possiblyCharged: false });
  });

  it('never repeats what the service said', async () => {
    for (const name of ['moderation-blocked.sse', 'refusal.sse', 'words.sse', 'error-flat.sse']) {
      const { error } = await read(recorded(name));
      expect(error?.message).toMatch(/^the [a-z ]+(?: \([a-z_]+\))?$/);
      expect(error?.cause).toBeUndefined();
    }
  });
});

function recorded(name: string): string {
  return readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8');
}

function eventsOf(stream: string): string[] {
  return stream.split(/(?<=\n\n)/);
}

/** An answer that remembers how far it was read. */
function answerOf(pieces: readonly string[], headers: Readonly<Record<string, string>> = {}) {
  const source = { read: [] as string[], isClosed: false };
  async function* body(): AsyncGenerator<Buffer, void, void> {
    try {
      for (const piece of pieces) {
        source.read.push(piece);
        yield Buffer.from(piece);
      }
    } finally {
      source.isClosed = true;
    }
  }
  const answer: OutgoingAnswer = { status: 200, headers, body: body(), discard: () => {} };
  return Object.assign(source, { answer });
}

async function read(
  given: string | ReturnType<typeof answerOf>,
  options: { partialImages?: number; headers?: Readonly<Record<string, string>> } = {},
) {
  const { partialImages = 0, headers = { 'content-type': 'text/event-stream' } } = options;
  const { answer } = typeof given === 'string' ? answerOf([given], headers) : given;
  const events: UpstreamEvent[] = [];
  const reading = readAnswer(answer, { partialImages });
  try {
    for (;;) {
      const { done, value } = await reading.next();
      if (done) return { events, picture: value, error: null };
      events.push(value);
    }
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    return { events, picture: null, error };
  }
}
