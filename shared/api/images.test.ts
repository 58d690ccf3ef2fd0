import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  editEventSchema,
  editRequestSchema,
  generationEventSchema,
  generationRequestSchema,
  imagesResponseSchema,
} from './images.ts';

const needed = { model: 'm', prompt: 'p' };

/** The message for the first field that is wrong; null when none is. */
function faultOf(fields: object): string | null {
  const parsed = generationRequestSchema.safeParse({ ...needed, ...fields });
  return parsed.error?.issues[0]?.message ?? null;
}

describe('values of a request', () => {
  test.each<[string, readonly unknown[]]>([
    ['model', ['gen-image-2', 'x'.repeat(200), 'vendor/model:v1']],
    [
      'prompt',
      ['x', ' x ', 'x'.repeat(32_000), '😀'.repeat(32_000), 'a\tb\r\nc', '\u200b', '漢字'],
    ],
    ['n', [1, 2, 10, 1.0, null, undefined]],
    ['size', ['auto', '1024x1024', '1536x1024', '1024x1536', null]],
    ['quality', ['auto', 'low', 'medium', 'high', 'xhigh', 'max', 'standard', null]],
    ['response_format', ['b64_json', 'url', null]],
    ['output_format', ['png', 'jpeg', 'webp', null]],
    ['background', ['auto', 'transparent', 'opaque', null]],
    ['output_compression', [0, 1, 100, null]],
    ['moderation', ['auto', 'low', null]],
    ['stream', [true, false, null]],
    ['partial_images', [0, 1, 2, 3, null]],
  ])('%s', (name, values) => {
    for (const value of values) expect(faultOf({ [name]: value }), String(value)).toBeNull();
  });

  test.each<[string, readonly unknown[]]>([
    ['model', ['', 'x'.repeat(201), 'a\0b', 'a\nb', 'модель', 7, null, undefined, {}]],
    ['prompt', ['', ' \n\t', '\u3000', 'x'.repeat(32_001), '😀'.repeat(32_001), 'a\0', '\ud83d']],
    ['prompt', [7, null, undefined, ['p'], true]],
    ['n', [0, -1, 11, 1.5, '1', true, NaN, Infinity, 2 ** 64, [1], {}]],
    [
      'size',
      ['512x512', '1024X1024', 'AUTO', ' auto', '1024x1024 ', '１０２４x1024', '', 1024, {}],
    ],
    ['quality', ['hd', 'High', '', 1]],
    ['response_format', ['b64', 'B64_JSON', 'json', '']],
    ['output_format', ['jpg', 'PNG', 'gif', 'svg', 'avif', '']],
    ['background', ['white', 'none', '', true]],
    ['output_compression', [-1, 101, 50.5, '80', true]],
    ['moderation', ['none', 'high', false]],
    ['stream', ['true', 1, 0, 'yes', []]],
    ['partial_images', [-1, 4, 0.5, '1', true]],
  ])('other than those of %s are refused by name', (name, values) => {
    for (const value of values) {
      expect(faultOf({ [name]: value }), String(value)).toMatch(new RegExp(`^${name} `));
    }
  });

  test('absent ones and null have the same defaults', () => {
    const names = Object.keys(generationRequestSchema.shape).filter((name) => !(name in needed));
    const nulls = Object.fromEntries(names.map((name) => [name, null]));
    const fromNulls = generationRequestSchema.parse({ ...needed, ...nulls });
    expect(fromNulls).toEqual(generationRequestSchema.parse(needed));
    expect(fromNulls).toMatchObject({ n: 1, size: 'auto', response_format: 'b64_json' });
  });

  test('are not repeated in what is said about them', () => {
    const wrong = Object.keys(generationRequestSchema.shape);
    const canaries = Object.fromEntries(wrong.map((name) => [name, ['canary']]));
    const parsed = generationRequestSchema.safeParse(canaries);
    expect(parsed.error?.issues.map(({ path }) => path[0])).toEqual(wrong);
    expect(JSON.stringify(parsed.error?.issues)).not.toContain('canary');
  });
});

describe('the schemas as documents', () => {
  const request = z.toJSONSchema(editRequestSchema, { io: 'input' });

  test('describe every field of a request', () => {
    const properties = request.properties ?? {};
    expect(Object.keys(properties)).toContain('input_fidelity');
    for (const [name, property] of Object.entries(properties)) {
      expect(property, name).toHaveProperty('description');
    }
  });

  test('say which fields are needed, their defaults and bounds', () => {
    expect(request.required).toEqual(['model', 'prompt', 'images']);
    expect(request.properties).toMatchObject({
      prompt: { minLength: 1, maxLength: 32_000 },
      n: { default: 1, anyOf: [{ type: 'integer', minimum: 1, maximum: 10 }, { type: 'null' }] },
      stream: { default: false },
      response_format: { default: 'b64_json' },
      images: { minItems: 1, maxItems: 16 },
    });
  });

  test('can be written for answers and events', () => {
    expect(z.toJSONSchema(imagesResponseSchema).required).toContain('usage');
    for (const events of [generationEventSchema, editEventSchema]) {
      expect(z.toJSONSchema(events)).toHaveProperty('oneOf');
    }
  });
});
