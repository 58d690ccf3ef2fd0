import { expect, it } from 'vitest';
import { bodyOf, filesOf } from '../../../../jobs/image-order.ts';
import { moved, withMask } from './draft.ts';
import type { Reference } from './draft-content.ts';
import { orderOf, readSettingsText, settingsText } from './orders.ts';
import { defaultWanted, readWanted } from './wanted.ts';

const picture = (type = 'image/png') => new Blob(['picture'], { type });
const reference = (id: string, type?: string): Reference => ({
  id,
  name: `${id}.png`,
  image: picture(type),
  width: 4,
  height: 4,
  thumb: picture(),
  mask: null,
});
const mask = { width: 4, height: 4, shapes: [], isInverted: false, png: picture(), coverage: 0.5 };
const wish = { model: 'gen-image-2', prompt: 'a fox', values: defaultWanted, references: [] };

it('a request without references is a generation, with nothing in it that is the default', () => {
  const order = orderOf(wish);
  expect(order).toMatchObject({ operation: 'generation', mask: null });
  expect(order.fields).toEqual({ model: 'gen-image-2', prompt: 'a fox' });
  expect(bodyOf(order)).toEqual({
    body: JSON.stringify({
      model: 'gen-image-2',
      prompt: 'a fox',
      stream: true,
      partial_images: 2,
    }),
    contentType: 'application/json',
  });
});

it('compression belongs to JPEG and WebP, fidelity to references', () => {
  const values = { ...defaultWanted, compression: 40, fidelity: 'high' } as const;
  expect(orderOf({ ...wish, values }).fields).toEqual({ model: 'gen-image-2', prompt: 'a fox' });
  const jpeg = { ...values, format: 'jpeg' } as const;
  expect(orderOf({ ...wish, values: jpeg }).fields).toMatchObject({
    output_format: 'jpeg',
    output_compression: 40,
  });
  const edit = orderOf({ ...wish, values, references: [reference('a')] });
  expect(edit.fields).toMatchObject({ input_fidelity: 'high' });
});

it('an edit sends its references in their order, and the mask', () => {
  const references = withMask([reference('a'), reference('b', 'image/jpeg')], 'b', mask);
  expect(references.map(({ id }) => id)).toEqual(['b', 'a']);
  const order = orderOf({ ...wish, references });
  expect(filesOf(order).map(({ field, name }) => [field, name])).toEqual([
    ['image[]', 'reference-1.jpg'],
    ['image[]', 'reference-2.png'],
    ['mask', 'mask.png'],
  ]);
  const { body } = bodyOf(order);
  expect([...(body as FormData).keys()]).toEqual([
    'model',
    'prompt',
    'stream',
    'partial_images',
    'image[]',
    'image[]',
    'mask',
  ]);
});

it('references move, but never in front of the one with the mask', () => {
  const plain = [reference('a'), reference('b'), reference('c')];
  expect(moved(plain, 'c', 0).map(({ id }) => id)).toEqual(['c', 'a', 'b']);
  expect(moved(plain, 'a', 1).map(({ id }) => id)).toEqual(['b', 'a', 'c']);
  const masked = withMask(plain, 'a', mask);
  expect(moved(masked, 'c', 0).map(({ id }) => id)).toEqual(['a', 'c', 'b']);
  expect(moved(masked, 'a', 2).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
});

it('only one picture carries a mask', () => {
  const first = withMask([reference('a'), reference('b')], 'a', mask);
  const second = withMask(first, 'b', mask);
  expect(second.map((each) => [each.id, each.mask !== null])).toEqual([
    ['b', true],
    ['a', false],
  ]);
});

it('copied settings can be pasted', () => {
  const values = { ...defaultWanted, size: '1024x1536', quality: 'high', previews: 0 } as const;
  const pasted = readSettingsText(settingsText(orderOf({ ...wish, values })));
  expect(pasted).toMatchObject({ model: 'gen-image-2', prompt: 'a fox' });
  expect(readWanted(pasted?.fields ?? {}, defaultWanted)).toEqual(values);
  for (const text of ['a fox', '{"a": 1}', '{broken', '[1]'])
    expect(readSettingsText(text)).toBeNull();
});
