/** What holds for the event streams of both operations. */
import { describe, expect, test } from 'vitest';
import { must } from '../../../server/lib/assert.ts';
import { editEventSchema, generationEventSchema } from '../../../shared/api/images.ts';
import { exactly } from '../exactly.ts';
import { fromBase64, fromDataUrl, look } from './answers.ts';
import { type Answer, type Api, errorOf, outcomeOf } from './api.ts';
import { readEventStream, type WireEvent } from './event-stream.ts';
import { smallPrompt, type Way } from './ways-to-ask.ts';

export function describeStreams(api: Api, way: Way, prefix: 'image_generation' | 'image_edit') {
  const partialName = `${prefix}.partial_image`;
  const completedName = `${prefix}.completed`;
  const ask = (fields = {}) => api.ask(way, { stream: true, ...fields });
  const stream = async (fields = {}) => eventsOf(await ask(fields), way);

  describe(`the event stream of ${way.name}`, () => {
    test('has the headers that keep it flowing', async () => {
      const { status, headers } = await ask();
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
      expect(headers.get('cache-control')).toBe('no-cache, no-transform');
      expect(headers.get('x-accel-buffering')).toBe('no');
      expect(headers.has('content-length')).toBe(false);
      expect(headers.has('content-encoding')).toBe(false);
    });

    test('without partial images is its last event alone', async () => {
      const [completed, ...more] = await stream();
      expect(more).toEqual([]);
      expect(completed).toEqual({
        name: completedName,
        data: {
          type: completedName,
          b64_json: expect.any(String),
          created_at: expect.any(Number),
          size: '32x32',
          quality: 'medium',
          background: 'opaque',
          output_format: 'png',
          usage: {
            images: 1,
            input_tokens: expect.any(Number),
            output_tokens: expect.any(Number),
            total_tokens: expect.any(Number),
            input_tokens_details: {
              text_tokens: expect.any(Number),
              image_tokens: expect.any(Number),
            },
          },
          tintype: {
            cost: '0.04',
            balance: expect.stringMatching(/^\d+\.\d\d$/),
            currency: 'USD',
          },
        },
      });
    });

    test.each([0, 1, 2, 3])('shows %i partial images, counted from 0', async (count) => {
      const events = await stream({ partial_images: count, output_format: 'jpeg' });
      const names = Array.from({ length: count }, () => partialName);
      expect(events.map(({ name }) => name)).toEqual([...names, completedName]);
      for (const [index, { data }] of events.slice(0, -1).entries()) {
        expect(data).toEqual({
          type: partialName,
          partial_image_index: index,
          b64_json: expect.any(String),
          created_at: expect.any(Number),
          size: 'auto',
          quality: 'auto',
          background: 'auto',
          output_format: 'jpeg',
        });
      }
      for (const event of events) {
        const picture = fromBase64(String(event.data['b64_json']));
        expect(await look(picture)).toMatchObject({ format: 'jpeg', size: '32x32' });
      }
    });

    test('shows fewer where the upstream has fewer', async () => {
      const events = await stream({ prompt: `${smallPrompt} [[partials=1]]`, partial_images: 3 });
      expect(events.map(({ name }) => name)).toEqual([partialName, completedName]);
    });

    test('has the same picture as a data URL in addition when url is asked for', async () => {
      const events = await stream({ response_format: 'url', partial_images: 1 });
      expect(events).toHaveLength(2);
      for (const { data } of events) {
        const { mediaType, bytes } = fromDataUrl(String(data['url']));
        expect(mediaType).toBe('image/png');
        expect(bytes.toString('base64')).toBe(data['b64_json']);
      }
    });

    test('ends in an error event when the upstream fails after a partial image', async () => {
      const user = await api.app.addUser({ money: '0.04' });
      const prompt = `${smallPrompt} [[fail=unavailable@partial1]]`;
      const answer = await api.ask(way, { prompt, stream: true, partial_images: 2 }, { user });
      expect(answer.status).toBe(200);
      const events = eventsOf(answer, way);
      expect(events.map(({ name }) => name).at(0)).toBe(partialName);
      expect(events.at(-1)).toEqual({
        name: 'error',
        data: {
          type: 'error',
          error: {
            message: expect.stringContaining('Nothing was charged'),
            type: 'server_error',
            param: null,
            code: 'upstream_error',
            trace_id: answer.headers.get('x-request-id'),
          },
        },
      });
      expect(events.filter(({ name }) => name === 'error')).toHaveLength(1);
      // The whole wallet is still there.
      expect(await api.ask(way, {}, { user })).toMatchObject({ status: 200 });
    });

    test('that fails before its first event has the status of its error', async () => {
      const fields = { partial_images: 3, stream: true };
      const refused = await api.ask(way, { ...fields, prompt: 'a fox [[fail=refused]]' });
      expect(outcomeOf(refused)).toMatchObject({ status: 400 });
      const failed = await api.ask(way, { ...fields, prompt: 'a fox [[fail=protocol]]' });
      expect(outcomeOf(failed)).toMatchObject({ status: 502, code: 'upstream_error' });
      expect(errorOf(failed).trace_id).toBe(failed.headers.get('x-request-id'));
      const invalid = await api.ask(way, { ...fields, n: 2 });
      expect(outcomeOf(invalid)).toMatchObject({ status: 400, param: 'n' });
    });
  });
}

/** The events of a stream, each with exactly the documented fields. */
export function eventsOf({ text }: Answer, { operation }: Way): WireEvent[] {
  const schema = operation === 'edit' ? editEventSchema : generationEventSchema;
  const { events } = readEventStream(text);
  for (const { name, data } of events) {
    const { type } = exactly(schema, data);
    if (type !== name) throw new Error(`the event ${name} says it is ${type}`);
  }
  must(events.at(-1), 'an event');
  return events;
}
