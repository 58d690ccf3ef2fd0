import { describe, expect, it } from 'vitest';
import { requestIdOf } from './request-id.ts';

describe("the upstream's identifier of a request", () => {
  it.each<[Record<string, string>, string | null]>([
    [{ 'x-request-id': 'req_1' }, 'req_1'],
    [{ 'apim-request-id': 'a' }, 'a'],
    [{ 'apim-request-id': 'a', 'x-request-id': 'b' }, 'b'],
    [{ 'x-request-id': 'x'.repeat(200) }, 'x'.repeat(200)],
    [{ 'x-request-id': 'x'.repeat(201) }, null],
    [{ 'x-request-id': 'two words' }, null],
    [{}, null],
  ])('in %j is %j', (headers, id) => {
    expect(requestIdOf(headers)).toBe(id);
  });
});
