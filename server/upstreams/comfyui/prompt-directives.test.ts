import { describe, expect, it } from 'vitest';
import { stripDirectives } from './prompt-directives.ts';

describe('directives in a prompt', () => {
  it.each([
    ['a fox <lora:secret:1.5> runs', 'a fox   runs'],
    ['<hypernet:a><lyco:b:2>fox', '  fox'],
    ['<lo<lora:x>ra:secret>', '<lo ra:secret>'],
    ['<lora:<lora:x>secret>', ' lora: secret>'],
    ['<lora:unfinished', ' lora:unfinished'],
    ['fox, embedding:secret, (embedding: other:1.2)', 'fox,  secret, (  other:1.2)'],
    ['embedembedding:ding:secret', 'embed ding:secret'],
    ['a __colours__ fox', 'a  colours  fox'],
    ['a ___colours___ fox', 'a  colours  fox'],
    ['a {red|blue} fox', 'a  red, blue  fox'],
    ['{2$$a|{b|c}}', ' 2$$a,  b, c  '],
    ['<lo{a|}ra:secret>', '<lo a,  ra:secret>'],
    ['embed__ding:secret', 'embed ding:secret'],
    ['<lora__:secret>', '<lora :secret>'],
  ])('%j becomes %j', (prompt, stripped) => {
    expect(stripDirectives(prompt)).toEqual({ prompt: stripped, wasStripped: true });
  });

  it.each([
    'a fox in snow, (detailed:1.3), [soft]',
    'if a < b: then a > c',
    'a heart <3 and an arrow ->',
    '{"style": "oil", "subject": "fox"}',
    'a | b',
    'snake_case_name',
    'embedding a jewel',
    '50% grey: a study',
  ])('are not seen in %j', (prompt) => {
    expect(stripDirectives(prompt)).toEqual({ prompt, wasStripped: false });
  });

  it.each(['<', '<a:', '{', '{|', '|', '_', 'embedding', 'embedding ', '<a', '< '])(
    'are looked for in 32,000 characters of %j at once',
    (piece) => {
      const prompt = piece.repeat(Math.ceil(32_000 / piece.length));
      const { prompt: stripped } = stripDirectives(prompt);
      expect(stripDirectives(stripped).wasStripped).toBe(false);
    },
  );
});
