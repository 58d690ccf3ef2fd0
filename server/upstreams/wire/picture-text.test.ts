import { describe, expect, it } from 'vitest';
import { joinedBody } from '../../../test/support/callers/joined-body.ts';
import { CutString, parseCutJson } from '../../lib/bytes/json-cut.ts';
import { Base64Text, jsonBody, pictureOfText, textBytes } from './picture-text.ts';

const bytes = Buffer.from('\x89PNG and so on', 'latin1');
const base64 = bytes.toString('base64');

describe('a picture as text', () => {
  it.each<[string, string]>([
    ['base64', base64],
    ['a data URL', `data:image/png;base64,${base64}`],
    ['a data URL in capitals', `DATA:image/PNG;BASE64,${base64}`],
    ['a data URL without a type', `data:;base64,${base64}`],
    ['a data URL with a parameter', `data:image/png;name=a.png;base64,${base64}`],
  ])('is %s', (_name, text) => {
    for (const value of [text, new CutString(Buffer.from(text))]) {
      const image = pictureOfText(value);
      expect(image).toEqual({ encoding: 'base64', ascii: Buffer.from(base64) });
    }
  });

  it.each<[string, unknown]>([
    ['nothing', ''],
    ['a data URL of text', 'data:text/plain,hello'],
    ['a data URL without data', 'data:image/png;base64'],
    ['null', null],
    ['a number', 7],
    ['a list', ['QUJD']],
  ])('is not %s', (_name, value) => {
    expect(pictureOfText(value)).toBeNull();
  });

  it('has a data URL whose head ends within 200 characters', () => {
    const url = (headCharacters: number) =>
      `data:${'x'.repeat(headCharacters - 'data:;base64'.length)};base64,${base64}`;
    // The comma is the two hundredth character.
    expect(pictureOfText(url(199))).toEqual({ encoding: 'base64', ascii: Buffer.from(base64) });
    expect(pictureOfText(url(200))).toBeNull();
  });

  it('is not copied', () => {
    const cut = new CutString(Buffer.from(base64));
    expect(textBytes(cut)).toBe(cut.bytes);
  });
});

describe('a body with pictures', () => {
  it.each<[string, unknown, unknown]>([
    ['no pictures', { a: [1, null, 'é'] }, { a: [1, null, 'é'] }],
    ['one', { image: new Base64Text(bytes) }, { image: base64 }],
    ['one alone', new Base64Text(bytes), base64],
    [
      'several, between other things',
      { a: new Base64Text(bytes), b: ['x', new Base64Text(Buffer.from('2')), 'y'], c: 'é' },
      { a: base64, b: ['x', 'Mg==', 'y'], c: 'é' },
    ],
    [
      'data URLs',
      { url: Base64Text.dataUrl({ bytes, format: 'webp' }) },
      { url: `data:image/webp;base64,${base64}` },
    ],
    ['an empty one', [new Base64Text(Buffer.alloc(0))], ['']],
    ['a prefix with a quote', [new Base64Text(bytes, 'a"b\\')], [`a"b\\${base64}`]],
    ['a member that is left out', { a: undefined, b: new Base64Text(bytes) }, { b: base64 }],
    ['names like text', { '"': new Base64Text(bytes) }, { '"': base64 }],
  ])('may have %s', (_name, value, expected) => {
    expect(JSON.parse(joinedBody(jsonBody(value)).toString())).toEqual(expected);
  });

  it('gives back the bytes it was made of, however many', () => {
    const large = Buffer.alloc(3_000_001, 'picture');
    const body = joinedBody(jsonBody({ image: new Base64Text(large) }));
    const parsed = parseCutJson(body, { depthMax: 2, restBytesMax: 100 });
    if (parsed.kind === 'broken') expect.unreachable(parsed.reason);
    // What the parser makes of an object with a long string.
    const { image } = parsed.value as { image: CutString };
    expect(Buffer.from(image.bytes.toString('latin1'), 'base64').equals(large)).toBe(true);
  });
});
