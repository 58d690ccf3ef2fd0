/** Pictures made in the console: the same way as through `/v1`, but for whoever is signed in. */
import { z } from 'zod';
import {
  type CancelAnswer,
  cancelAnswerSchema,
  cancelRequestSchema,
} from '../../../shared/console/playground.ts';
import type { Operation } from '../../../shared/image-options.ts';
import { playgroundKey } from '../../flows/keys/playground-key.ts';
import { cancelRequest } from '../../flows/requests/cancel-request.ts';
import { invalidRequest } from '../../lib/service-error.ts';
import { answerImageRequest } from '../v1/image-route.ts';
import { type ConsoleRoute, signedInRoute } from './console-route.ts';
import { readViewer, requireRight } from './viewer.ts';

/** The trace ID is to be on the page in the first second, whatever the upstream does. */
const openAfterMs = 500;

export const playgroundRoutes: readonly ConsoleRoute[] = [
  playgroundRoute('generation', {
    path: '/images/generations',
    summary: 'Make pictures from a text prompt, as the user who is signed in',
  }),
  playgroundRoute('edit', {
    path: '/images/edits',
    summary: 'Edit or recombine reference images, as the user who is signed in',
  }),
  signedInRoute({
    method: 'POST',
    path: '/images/cancel',
    summary: 'Cancel a request of your own without a charge, if it is not too late for that',
    right: 'own',
    body: cancelRequestSchema,
    sampleBody: { idempotency_key: 'a-key' },
    answer: cancelAnswerSchema,
    handle: async ({ body, viewer }, deps): Promise<CancelAnswer> => {
      const { apiKeyId } = await playgroundKey(deps, viewer.userId);
      const { runs } = deps.images.services;
      const claim = { apiKeyId, key: body.idempotency_key };
      const { state, traceId } = await cancelRequest({ ...deps, runs }, claim);
      return { state, trace_id: traceId };
    },
  }),
];

function playgroundRoute(
  operation: Operation,
  { path, summary }: { path: string; summary: string },
): ConsoleRoute {
  return signedInRoute({
    method: 'POST',
    path,
    summary,
    right: 'own',
    form: operation,
    answer: z.never(),
    handle: async ({ request, reply, viewer }, deps) => {
      // A page that was reloaded or cut off finds its picture by it, without a second charge.
      if (request.headers['idempotency-key'] === undefined) {
        throw invalidRequest('Idempotency-Key', 'Send an Idempotency-Key with every request.');
      }
      const caller = await playgroundKey(deps, viewer.userId);
      reply.header('cache-control', 'no-store, no-transform');
      // The admit looks at the key alone: the session may have ended while the body came.
      const admitAgain = async () => requireRight(await readViewer(request, deps), 'own');
      const telling = { openAfterMs, withReceipt: true };
      // Whoever comes back for the picture of a request that failed meanwhile did not ask for another one.
      const isRepeatOnly = request.headers['x-tintype-repeat'] !== undefined;
      const call = { request, reply, caller, admitAgain, isRepeatOnly, telling };
      await answerImageRequest(operation, call, deps.images);
      // The answer is out; nothing else is sent.
      return undefined as never;
    },
  });
}
