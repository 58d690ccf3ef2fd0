import { describe, expect, test } from 'vitest';
import { withoutDirectives } from './directives.ts';

describe('orders to the engine are taken out of a prompt', () => {
  test.each([
    ['a LoRA', 'a fox <lora:ink:0.8> in snow', 'a fox  in snow'],
    ['several networks', '<lora:a:1><hypernet:b:1>fox<lyco:c>', 'fox'],
    ['a network of an extension', 'fox <wildcard:animals>', 'fox '],
    ['one with a bracket inside', 'fox <lora:a<b:1> owl', 'fox  owl'],
    ['one that another is wrapped around', 'fox <lo<lora:a>ra:b:1> owl', 'fox  owl'],
    ['one within another', '<lora:<lora:a:1>b:1>fox', 'b:1>fox'],
    ['one that comes about behind another', '<lora<x:y>:b:1>fox', 'fox'],
    ['one named in other letters', '<лора:a>fox', 'fox'],
    ['one without an argument', 'fox<lora:>', 'fox'],
    ['the tag of stable-diffusion.cpp', '<sd_cpp_extra_args>{}</sd_cpp_extra_args>fox', ' {} fox'],
    ['that tag around another', '<sd_cpp_<a:b>extra_args>fox', ' fox'],
    ['that tag around itself', '<sd_cpp_<sd_cpp_extra_args>extra_args>', '<sd_cpp_ extra_args>'],
    ['AND between parts', 'a cat AND a dog AND\na fox', 'a cat and a dog and\na fox'],
    ['a wildcard file', 'a __colours__ fox', 'a  colours  fox'],
    ['a wildcard file that comes about', 'a _<x:y>_colours_<x:y>_ fox', 'a  colours  fox'],
    ['a random choice', 'a {red|blue} fox', 'a  red, blue  fox'],
    ['AND in a wildcard', 'a cat__AND__a dog', 'a cat and a dog'],
    ['AND that comes about', 'a cat A<x:y>ND a dog', 'a cat and a dog'],
  ])('%s', (_name, prompt, stripped) => {
    expect(withoutDirectives(prompt)).toBe(stripped);
  });
});

describe('the rest of a prompt stays as it is', () => {
  test.each([
    'a fox, 3 < 4 and 5 > 4',
    '<3 foxes: they love> snow',
    'a <b> c',
    'time 12:30 <- now ->',
    '<:fox>',
    'SAND, ANDES, HAND and Land',
    '(a fox:1.3) [day:night:0.5] BREAK snow',
    'ein Fuchs: «rot» 🦊',
    '<lora:unfinished',
    'a snake_case {fox} | owl',
    '',
  ])('%j', (prompt) => {
    expect(withoutDirectives(prompt)).toBe(prompt);
  });
});

// What takes longer the longer it has become would not end within the time of a test.
test.each([
  ['openings', '<a:'],
  ['closings', '>'],
  ['letters', 'a'],
  ['colons behind letters', 'a:'],
  ['directives', '<a:b>:'],
])('time grows with the length alone: %s', (_name, piece) => {
  const prompt = piece.repeat(1_000_000);
  expect(withoutDirectives(prompt).length).toBeLessThanOrEqual(prompt.length);
});
