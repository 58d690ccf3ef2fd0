import { describe, expect, it } from 'vitest';
import { saysError } from './error-said.ts';

describe('a body that claims success', () => {
  it.each<[unknown, boolean]>([
    [{ error: { message: 'no' } }, true],
    [{ error: 'no' }, true],
    [{ errors: [{ message: 'no' }] }, true],
    [{ error: null, data: [] }, false],
    [{ error: '', data: [] }, false],
    [{ error: false }, false],
    // As gateways write an error of theirs that has not happened.
    [{ error: {}, data: [] }, false],
    [{ error: { message: '', type: '', param: '', code: null } }, false],
    [{ error: { code: 0, message: '', details: [], innererror: {} } }, false],
    [{ errors: [{}] }, false],
    [{ error: { code: 0, message: 'no' } }, true],
    [{ error: { code: 1 } }, true],
    [{ error: { reason: 'blocked' } }, true],
    [{ error: { message: { text: 'no' } } }, true],
    [{ error: {}, errors: [{ message: 'no' }] }, true],
    [{ errors: [] }, false],
    [{ detail: 'fine' }, false],
    [{ data: [] }, false],
    ['error', false],
    [null, false],
  ])('%j says an error: %s', (body, says) => {
    expect(saysError(body)).toBe(says);
  });
});
