import { describe, expect, test } from 'vitest';
import { faults, UpstreamError } from '../upstream.ts';
import { directiveLimits, plainScript, readDirectives, type Script } from './directives.ts';

const understood: [directive: string, change: Partial<Script>][] = [
  ['delay=8s', { delayMs: 8000 }],
  ['delay=250ms', { delayMs: 250 }],
  ['delay=1.5s', { delayMs: 1500 }],
  ['first=2s', { firstMs: 2000 }],
  ['jitter=20%', { jitterShare: 0.2 }],
  ['stall', { misbehaviour: { kind: 'stall' } }],
  ['fail=busy', { misbehaviour: { kind: 'fail', fault: 'busy', afterPartial: null } }],
  [
    'fail=busy,retry_after=3s',
    { misbehaviour: { kind: 'fail', fault: 'busy', afterPartial: null }, retryAfterMs: 3000 },
  ],
  ['fail=refused@partial2', { misbehaviour: { kind: 'fail', fault: 'refused', afterPartial: 2 } }],
  ['drop', { misbehaviour: { kind: 'drop', afterPartial: null } }],
  ['drop@partial1', { misbehaviour: { kind: 'drop', afterPartial: 1 } }],
  ['partials=1', { partialImagesMax: 1 }],
  ['partials=0', { partialImagesMax: 0 }],
  [
    'actual=1536x1024,jpeg,low',
    { actual: { size: { width: 1536, height: 1024 }, format: 'jpeg', quality: 'low' } },
  ],
  ['actual=webp', { actual: { format: 'webp' } }],
  ['bytes=12M', { fileBytes: 12 * 1_048_576 }],
  ['bytes=300K', { fileBytes: 307_200 }],
  ['revise=A quiet lake', { revisedPrompt: 'A quiet lake' }],
  ['seed=7', { seed: 7 }],
  ['corrupt', { misbehaviour: { kind: 'broken', answer: 'corrupt' } }],
  ['truncate', { misbehaviour: { kind: 'broken', answer: 'truncate' } }],
  ['empty', { misbehaviour: { kind: 'broken', answer: 'empty' } }],
  ['text', { misbehaviour: { kind: 'broken', answer: 'text' } }],
  [' SEED = 7 ', { seed: 7 }],
];

test.each(understood)('reads [[%s]] and takes it out of the prompt', (directive, change) => {
  expect(readDirectives(`a fox [[${directive}]] at night`)).toEqual({
    ...plainScript('a fox at night'),
    ...change,
  });
});

test.each(faults.filter((fault) => fault !== 'canceled'))('can fail with %s', (fault) => {
  expect(readDirectives(`[[fail=${fault}]]`).misbehaviour).toMatchObject({ kind: 'fail', fault });
});

test('combines directives wherever they stand', () => {
  expect(readDirectives('[[fail=busy]]a [[times=2]] fox[[retry_after=3s]]')).toMatchObject({
    prompt: 'a fox',
    times: 2,
    retryAfterMs: 3000,
    misbehaviour: { kind: 'fail', fault: 'busy' },
  });
});

test('leaves ordinary brackets alone', () => {
  const prompt = 'a [fox] in [[an unclosed pair';
  expect(readDirectives(prompt)).toEqual(plainScript(prompt));
});

describe('refuses', () => {
  const { delayMsMax } = directiveLimits;
  test.each([
    ['delay', '[[delay]]'],
    ['delay', '[[delay=8]]'],
    ['delay', '[[delay=8h]]'],
    ['delay', `[[delay=${delayMsMax + 1}ms]]`],
    ['jitter', '[[jitter=120%]]'],
    ['stall', '[[stall=1]]'],
    ['fail', '[[fail=canceled]]'],
    ['fail', '[[fail=oops]]'],
    ['fail', '[[fail=busy@partial4]]'],
    ['fail', '[[fail=busy,retry_after=soon]]'],
    ['drop', '[[drop@partial0]]'],
    ['times', '[[fail=busy]][[times=0]]'],
    ['times', '[[times=2]]'],
    ['retry_after', '[[retry_after=3s]]'],
    ['retry_after', '[[fail=busy,retry_after=3s]][[retry_after=4s]]'],
    ['partials', '[[partials=4]]'],
    ['actual', '[[actual=8x8]]'],
    ['actual', '[[actual=auto]]'],
    ['actual', '[[actual=png,jpeg]]'],
    ['bytes', '[[bytes=33M]]'],
    ['bytes', '[[bytes=0]]'],
    ['revise', '[[revise=]]'],
    ['seed', '[[seed=-1]]'],
    ['seed', '[[seed=1]][[seed=1]]'],
    ['stall', '[[drop]][[stall]]'],
    ['seed', '[[seed:7]]'],
  ])('a bad %s: %s', (name, prompt) => {
    const error = failureOf(`a fox ${prompt}`);
    expect(error.fault).toBe('bad_request');
    expect(error.message).toContain(name);
  });

  test('an unknown directive, without repeating the text it was found in', () => {
    const error = failureOf('[[seed=7]] a [[canary words=secret]] fox');
    expect(error.fault).toBe('bad_request');
    expect(error.message).toContain('number 2');
    expect(error.message).not.toMatch(/canary|secret/);
  });

  test('a known name that an object only inherits', () => {
    expect(failureOf('[[constructor]]').fault).toBe('bad_request');
  });

  test('too many', () => {
    const prompt = '[[seed=7]]'.repeat(directiveLimits.directivesMax + 1);
    expect(failureOf(prompt).message).toContain(String(directiveLimits.directivesMax));
  });

  test('a value, without repeating it', () => {
    expect(failureOf('[[fail=canary]]').message).not.toContain('canary');
  });
});

function failureOf(prompt: string): UpstreamError {
  try {
    readDirectives(prompt);
  } catch (error) {
    if (error instanceof UpstreamError) return error;
  }
  throw new Error('no UpstreamError was thrown');
}
