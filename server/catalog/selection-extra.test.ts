import { expect, it } from 'vitest';
import { checkExtra, extraCharactersMax } from './selection-extra.ts';

const reserved = ['prompt', 'image'];

it.each(['steps', 'cfg_scale', 'generation.config', '12'])('lets %s be added', (name) => {
  expect(() => checkExtra({ [name]: 1 }, reserved)).not.toThrow();
});

it.each(['prompt', 'Prompt', 'image', 'image[]', 'IMAGE[]'])(
  'refuses %s, which comes from the request',
  (name) => {
    expect(() => checkExtra({ steps: 1, [name]: 'x' }, reserved)).toThrow(
      `An extra field cannot be ${name}: prompt, image are set by Tintype from the request.`,
    );
  },
);

it.each(['', 'a b', '__proto__', '-a', 'a'.repeat(101)])('refuses the name %j', (name) => {
  const extra = Object.fromEntries([[name, 1]]);
  expect(() => checkExtra(extra, reserved)).toThrow('The name of an extra field has');
});

it('takes fields up to a size, and no more of them', () => {
  const around = JSON.stringify({ style: '' }).length;
  const style = 'x'.repeat(extraCharactersMax - around);
  expect(() => checkExtra({ style }, reserved)).not.toThrow();
  expect(() => checkExtra({ style: `${style}x` }, reserved)).toThrow('at most 10000 characters');
});
