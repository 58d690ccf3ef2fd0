import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { field, file, formOf } from '../../../test/support/callers/form-body.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { type FormPart, readForm } from './multipart-body.ts';

const contentBytesMax = 2_000;

const contents = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc
    .constantFrom('', '\r\n', '--', '\r\n--bound', '\r\n\r\n', 'a\r\n--boundar')
    .map((text) => Buffer.from(text)),
  fc.integer({ min: 0, max: contentBytesMax }).map((length) => Buffer.alloc(length, 'ab\r\n--b')),
);
const forms = fc.array(contents, { maxLength: 6 });
/** Where a body is cut into pieces, as shares of its length, and after which pieces it pauses. */
const cuts = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean()), {
  maxLength: 12,
});

test('a form gives the same parts in whatever pieces it comes', async () => {
  await fc.assert(
    fc.asyncProperty(forms, cuts, async (form, at) => {
      const { body } = formOf(form.map((content, index) => file(`part${index}`, content)));
      const parts = await read(body, at);
      expect(parts.map(({ name }) => name)).toEqual(form.map((_content, index) => `part${index}`));
      expect(parts.map(({ bytes }) => bytes.whole())).toEqual(form);
    }),
    { numRuns: 500 },
  );
});

test('a damaged form ends in its parts or in a 400, always', async () => {
  const insert = fc.constantFrom(
    '',
    '\r\n',
    '--boundary',
    '\r\n--boundary--',
    '\r\n\r\n',
    '\0',
    '"',
  );
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const damages = fc.array(fc.tuple(share, insert, fc.nat(20)), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(forms, cuts, damages, async (form, at, damage) => {
      const parts = [field('model', 'm'), ...form.map((content) => file('image', content))];
      let body = Buffer.from(formOf(parts).body);
      for (const [where, inserted, removed] of damage) {
        const from = Math.floor(where * body.length);
        body = Buffer.concat([
          body.subarray(0, from),
          Buffer.from(inserted),
          body.subarray(from + removed),
        ]);
      }
      try {
        await read(body, at);
      } catch (error) {
        expect(error).toBeInstanceOf(ServiceError);
      }
    }),
    { numRuns: 1000 },
  );
});

async function read(
  body: Uint8Array,
  cutAt: readonly (readonly [number, boolean])[],
): Promise<FormPart[]> {
  async function* pieces() {
    let from = 0;
    for (const [share, pauses] of cutAt.toSorted(([a], [b]) => a - b)) {
      const to = Math.floor(share * body.length);
      if (to > from) yield Buffer.from(body.subarray(from, to));
      from = to;
      if (pauses) await new Promise((resolve) => setImmediate(resolve));
    }
    if (from < body.length) yield Buffer.from(body.subarray(from));
  }
  const stream = Readable.from(pieces(), { objectMode: false });
  // All that is read of a message is its headers and its pieces.
  const message = Object.assign(stream, { headers: {} }) as unknown as IncomingMessage;
  const contentType = { mediaType: 'multipart/form-data', parameters: '; boundary=boundary' };
  return await readForm(message, contentType, {
    bytesMax: 1_000_000,
    ruleFor: () => ({
      kind: 'keep',
      bytesMax: contentBytesMax,
      tooLarge: () => new ServiceError('invalid_request_error', 'too large'),
    }),
  });
}
