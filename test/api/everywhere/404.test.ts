import { describe, expect, test } from 'vitest';
import { describeApi, errorOf, outcomeOf } from '../../support/callers/api.ts';

const notFound = { status: 404, code: 'not_found', param: null };

describeApi((api) => {
  describe('an address that is not ours', () => {
    test.each([
      '/v1',
      '/v1/',
      '/v1/images',
      '/v1/images/variations',
      '/v1/images/generations/x',
      '/v1/images/Generations',
      '/v1/chat',
      '/v1/responses/resp_1',
      '/api/console/chat/completions',
      '/models/gen-image-2',
      '/v1/models/a/b',
      '/openapi.yaml',
      '/api/console/nothing/models',
    ])('%s is told so in JSON, with and without a key', async (path) => {
      for (const method of ['GET', 'POST', 'DELETE', 'PATCH', 'PUT', 'OPTIONS']) {
        for (const user of [api.user, null]) {
          const answer = await api.send(method, path, { user });
          expect(outcomeOf(answer)).toEqual(notFound);
          expect(errorOf(answer)).toMatchObject({
            type: 'invalid_request_error',
            message: 'There is nothing at this address. See /openapi.json.',
          });
        }
      }
    });

    test.each([
      ['/images/generations', '/v1/images/generations'],
      ['/models', '/v1/models'],
      ['/v1//models', '/v1/models'],
      ['//v1/images/generations', '/v1/images/generations'],
      ['/v1/images/generations/', '/v1/images/generations'],
      ['/V1/images/generations', '/v1/images/generations'],
      ['/v1/images/edits/models', '/v1/models'],
      ['/openai/v1/images/edits', '/v1/images/edits'],
      ['/openai/deployments/gen-image-2/images/generations', '/v1/images/generations'],
    ])('%s comes of a wrong base URL, and is told that it is at %s', async (path, meant) => {
      for (const user of [api.user, null]) {
        const answer = await api.send('POST', `${path}?a=b`, { user });
        expect(outcomeOf(answer)).toEqual(notFound);
        expect(errorOf(answer).message).toBe(
          `There is nothing at this address. The base URL of the API ends in /v1, and this is at ${meant}.`,
        );
      }
    });

    test.each([
      ['/v1/v1/images/generations', '/v1/images/generations'],
      ['/v1/v1/images/edits', '/v1/images/edits'],
      ['/v1//v1/models', '/v1/models'],
      ['/tintype/v1/v1/models', '/v1/models'],
    ])(
      '%s is of a program that adds /v1 itself, and is told to leave it out',
      async (path, meant) => {
        const answer = await api.send('POST', `${path}?a=b`);
        expect(outcomeOf(answer)).toEqual(notFound);
        expect(errorOf(answer).message).toBe(
          `There is nothing at this address. It has /v1 twice: if the program adds it to the base URL, leave it out there. This is at ${meant}.`,
        );
      },
    );

    test.each([
      '/v1/chat/completions',
      '/v1/responses',
      '/v1/responses/',
      '/v1/completions',
      '/v1/embeddings',
      '/chat/completions',
      '/v1/v1/responses',
    ])(
      '%s is of a program that wants text, and is told that there are only pictures',
      async (path) => {
        for (const user of [api.user, null]) {
          const answer = await api.send('POST', `${path}?a=b`, { user });
          expect(outcomeOf(answer)).toEqual(notFound);
          expect(errorOf(answer).message).toBe(
            'There is nothing at this address. This service only makes pictures, at /v1/images/generations and /v1/images/edits.',
          );
        }
      },
    );

    test('the list of models with a slash too many is told where it is', async () => {
      const answer = await api.get('/v1/models/?a=b');
      expect(outcomeOf(answer)).toEqual(notFound);
      expect(errorOf(answer).message).toContain('and this is at /v1/models.');
    });

    test('is not repeated in the answer', async () => {
      const answer = await api.get('/v1/canary-3H8?canary-3H8');
      expect(outcomeOf(answer)).toEqual(notFound);
      expect(answer.text).not.toContain('canary-3H8');
    });

    test('has no body for HEAD', async () => {
      expect(await api.send('HEAD', '/v1/nothing')).toMatchObject({ status: 404, text: '' });
    });
  });
});
