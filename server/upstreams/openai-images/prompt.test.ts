import { expect, test } from 'vitest';
import { imageLimits } from '../../../shared/limits.ts';
import { UpstreamError } from '../upstream.ts';
import { localai, sdServer } from './dialects/engines.ts';
import { dialects } from './dialects.ts';
import { strippedPrompt } from './prompt.ts';

test.each([
  ['an argument tag', 'a <sd_cpp_extra_args>{"steps":500}</sd_cpp_extra_args> fox', 'a   fox'],
  ['a tag in other letters', 'a<SD_CPP_EXTRA_ARGS>{}</SD_CPP_EXTRA_ARGS>fox', 'a fox'],
  ['a tag over several lines', 'a<sd_cpp_extra_args>\n{}\n</sd_cpp_extra_args>fox', 'a fox'],
  ['a tag that is never closed', 'a fox<sd_cpp_extra_args>{"batch_count":8}', 'a fox '],
  [
    'two tags',
    '<sd_cpp_extra_args>1</sd_cpp_extra_args>a<sd_cpp_extra_args>2</sd_cpp_extra_args>',
    ' a ',
  ],
  ['the order to load a weight file', 'a <lora:anything:2> fox', 'a   fox'],
  ['such an order without its end', 'a <lora:anything fox', 'a  anything fox'],
  ['none', 'a fox <3 you', 'a fox <3 you'],
])('strips %s', (_name, prompt, stripped) => {
  expect(strippedPrompt(prompt, sdServer.promptDirectives)).toBe(stripped);
});

test.each([
  'a <sd_cpp_<sd_cpp_extra_args></sd_cpp_extra_args>extra_args>{}</sd_cpp_extra_args> fox',
  'a <lo<lora:ra:x:1> fox',
  'a <lora:<lora:x:1>y:2> fox',
  'a <lora<lora:x:1>:y:2> fox',
  'a <sd_cpp_<lora:extra_args>{}</sd_cpp_extra_args> fox',
])('leaves no directive that stood around another one: %s', (prompt) => {
  const stripped = strippedPrompt(prompt, sdServer.promptDirectives);
  expect(stripped).not.toMatch(/<sd_cpp_extra_args>|<lora:/i);
});

test('leaves nothing to split a negative prompt off', () => {
  expect(strippedPrompt('a fox|ugly|blurred', localai.promptDirectives)).toBe('a fox ugly blurred');
});

test('ends when nothing but directives was there', () => {
  expect(() => strippedPrompt('||', localai.promptDirectives)).toThrow(UpstreamError);
});

test('every directive is found wherever it stands, in a time that grows with the prompt', () => {
  const patterns = dialects.flatMap(({ promptDirectives }) => promptDirectives);
  const worst = '<lora:<sd_cpp_extra_args'.repeat(imageLimits.promptCharactersMax / 24);
  for (const { flags } of patterns) expect(flags).toContain('g');
  expect(strippedPrompt(`a${worst}`, patterns)).not.toContain('<lora:');
});
