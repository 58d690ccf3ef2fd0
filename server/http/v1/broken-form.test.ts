import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { field, file, formOf, inPieces, wanted } from '../../../test/support/callers/form-body.ts';
import { makePicture } from '../../../test/support/pictures.ts';
import {
  type ReadingServer,
  startReadingServer,
} from '../../../test/support/services/reading-server.ts';
import { readEdit } from './read-image-request.ts';

const editBytesMax = 45_000_000;
const malformed = { status: 400, kind: 'refused', param: null };

let server: ReadingServer;
let png: Buffer;
let webp: Buffer;
beforeAll(async () => {
  server = await startReadingServer((message) =>
    readEdit(message, {
      fetchImage: () => Promise.reject(new Error('a form has no URLs')),
      limits: { generationBytesMax: 1, editBytesMax },
    }),
  );
  png = await makePicture('png', { width: 8, height: 6 });
  webp = await makePicture('webp', { width: 3, height: 2 });
});
afterAll(() => server.close());

describe('a form is refused when it', () => {
  test.each([
    ['no boundary', 'multipart/form-data'],
    ['an empty boundary', 'multipart/form-data; boundary='],
    ['an empty quoted boundary', 'multipart/form-data; boundary=""'],
    ['another boundary', 'multipart/form-data; boundary=elsewhere'],
    ['a boundary of 5,000 characters', `multipart/form-data; boundary=${'b'.repeat(5000)}`],
    ['another kind of multipart', 'multipart/mixed; boundary=boundary'],
    ['no type', ''],
  ])('has %s', async (_name, type) => {
    const { body } = formOf([...wanted(), file('image', png)]);
    expect(await server.send({ headers: { 'content-type': type }, body })).toMatchObject(malformed);
  });

  test('ends anywhere before its end', async () => {
    const { headers, body } = formOf([field('model', 'm'), file('image', webp)]);
    const last = Buffer.from(body).lastIndexOf('--');
    for (let length = 0; length < last; length += 3) {
      const reading = await server.send({
        headers,
        body: body.subarray(0, length),
      });
      expect(reading, `cut to ${length}`).toMatchObject(malformed);
    }
  });

  test('is broken off by its sender', async () => {
    const { body } = formOf([...wanted(), file('image', png)]);
    for (const length of [0, 5, 60, 250, body.length - 30]) {
      const socket = server.connect();
      socket.write('POST / HTTP/1.1\r\nhost: a\r\n');
      socket.write('content-type: multipart/form-data; boundary=boundary\r\n');
      socket.write(`content-length: ${body.length}\r\n\r\n`);
      socket.write(body.subarray(0, length), () => socket.destroy());
      expect(await server.nextReading(), `after ${length}`).toMatchObject({
        kind: 'refused',
        message: 'The body ended before it was complete.',
      });
    }
  });

  const part = (header: string) => Buffer.from(`${header}\r\n\r\nvalue`);
  test.each([
    ['a part without a header', part('')],
    ['a part without a name', part('Content-Disposition: form-data')],
    ['a part with an empty name', part('Content-Disposition: form-data; name=""')],
    ['a part of another disposition', part('Content-Disposition: attachment; name="a"')],
    ['a part with only a type', part('Content-Type: image/png')],
    ['a part whose header never ends', Buffer.from('Content-Disposition: form-data; name="a"')],
    [
      'a part whose name is cut by a line break',
      part('Content-Disposition: form-data; name="a\nb"'),
    ],
    ['a name of 1 MiB', part(`Content-Disposition: form-data; name="${'n'.repeat(1_048_576)}"`)],
    ['a name of 129 characters', part(`Content-Disposition: form-data; name="${'n'.repeat(129)}"`)],
    [
      '2,000 header lines',
      part(`${'X-Line: 1\r\n'.repeat(2000)}Content-Disposition: form-data; name="a"`),
    ],
  ])('has %s', async (_name, bad) => {
    expect(await sendForm(bad, ...wanted(), file('image', png))).toMatchObject(malformed);
    expect(await sendForm(...wanted(), file('image', png), bad)).toMatchObject(malformed);
  });

  test('has one header line, or one character of a name or a boundary, too many', async () => {
    const rest = [...wanted(), file('image', png)];
    const lined = (count: number) => {
      return Buffer.concat([Buffer.from('X-Line: 1\r\n'.repeat(count - 1)), field('a', '')]);
    };
    expect(await sendForm(lined(32), ...rest)).toMatchObject({ kind: 'request' });
    expect(await sendForm(lined(33), ...rest)).toMatchObject(malformed);
    const named = (length: number) => field('n'.repeat(length), '');
    expect(await sendForm(named(128), ...rest)).toMatchObject({ kind: 'request' });
    expect(await sendForm(named(129), ...rest)).toMatchObject(malformed);
    const bound = (length: number) => server.send(formOf(rest, 'b'.repeat(length)));
    expect(await bound(200)).toMatchObject({ kind: 'request' });
    expect(await bound(201)).toMatchObject(malformed);
  });

  test('has 10,000 fields, 1,000 files, or one part too many', async () => {
    const many = (count: number, one: Buffer) => Array.from({ length: count }, () => one);
    expect(await sendForm(...many(10_000, field('a', '')))).toMatchObject(malformed);
    expect(await sendForm(...many(1_000, file('image[]', webp)))).toMatchObject(malformed);
    const rest = [...wanted(), file('image', png)];
    expect(await sendForm(...many(97, field('a', '')), ...rest)).toMatchObject({ kind: 'request' });
    expect(await sendForm(...many(98, field('a', '')), ...rest)).toMatchObject(malformed);
  });

  test('has no parts at all', async () => {
    const { headers } = formOf([]);
    for (const body of [
      '',
      '--boundary--',
      '--boundary--\r\n',
      '\r\n\r\n',
      '--boundary\r\n--boundary--',
    ]) {
      expect(await server.send({ headers, body }), JSON.stringify(body)).toMatchObject({
        status: 400,
      });
    }
  });

  test('is longer than the limit, announced or not', async () => {
    const parts = [...wanted(), file('image', png)];
    const missing =
      editBytesMax -
      formOf(parts).body.length -
      field('a', '').length -
      '\r\n--boundary\r\n'.length;
    const sized = (length: number) => formOf([...parts, field('a', 'x'.repeat(length))]);
    const fitting = sized(missing);
    expect(fitting.body).toHaveLength(editBytesMax);
    expect(await server.send(fitting)).toMatchObject({
      kind: 'request',
    });
    const over = sized(missing + 1);
    const tooLarge = { ...malformed, message: expect.stringMatching(/too large/) };
    expect(await server.send(over)).toMatchObject(tooLarge);
    const { headers, body } = over;
    expect(await server.send({ headers, body: inPieces(body, 1_000_000) })).toMatchObject(tooLarge);
  });

  test('is refused early, and its sender still reads why', async () => {
    const filling = field('a', 'x'.repeat(40_000_000));
    const reading = await sendForm(field('file_id', 'f'), filling, ...wanted());
    expect(reading).toMatchObject({ status: 400, param: 'file_id' });
  });
});

function sendForm(...parts: readonly Buffer[]) {
  return server.send(formOf(parts));
}
