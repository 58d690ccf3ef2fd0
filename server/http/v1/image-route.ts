/** From an image request as it comes to the run that answers it. */
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Operation } from '../../../shared/image-options.ts';
import type { KeyAccess } from '../../accounts/api-key.ts';
import type { ImageServices } from '../../flows/requests/image-services.ts';
import type { Refusal } from '../../flows/requests/refused-record.ts';
import { runImageRequest, type StartedRun } from '../../flows/requests/run-image-request.ts';
import type { RunCaller } from '../../flows/requests/runs/run-caller.ts';
import type { GivenRequest, ImageRequest, ReadRequest } from '../../images/image-request.ts';
import { recordCodeOf, toServiceError } from '../errors.ts';
import { factsOf } from '../request-facts.ts';
import { type AnswerDeps, answerWithRun, publicTelling, type Telling } from './image-answer.ts';
import { type ReadDeps, readEdit, readGeneration } from './read-image-request.ts';
import { readHints } from './request-hints.ts';
import { UploadMemory, type UploadPlace } from './upload-memory.ts';

export interface ImageRouteDeps extends Omit<AnswerDeps, 'clock'> {
  services: ImageServices;
  read: ReadDeps;
  noteRefusal: (refusal: Refusal) => void;
  uploads: UploadPlace;
}

interface ImageCall {
  request: FastifyRequest;
  reply: FastifyReply;
  caller: KeyAccess;
  /** Checks the caller's key or session again, once the body is there; throws when it is no longer valid. */
  admitAgain: () => Promise<unknown>;
  /** See `RequestHints`; the public API has no such thing. */
  isRepeatOnly?: boolean;
  /** When a stream's headers go out and what its last event says; as the public API promises unless given. */
  telling?: Telling;
}

/** Answers `POST /v1/images/generations` and `POST /v1/images/edits` for a caller that is known. */
export async function answerImageRequest(
  operation: Operation,
  call: ImageCall,
  deps: ImageRouteDeps,
): Promise<void> {
  const { clock, settings } = deps.services;
  const begunAt = clock.monotonic();
  const { currency } = await settings.current();
  // Nothing may be awaited between the run's start and the wait for it: a connection that closes in between would go
  // unnoticed, and the run would go on for nobody.
  const started = await begin(operation, call, deps);
  const { reply } = call;
  const { run, replayed } = started;
  if (replayed) reply.header('idempotent-replayed', 'true').header('x-request-id', run.traceId);
  const { telling = publicTelling } = call;
  const answer = { ...started, reply, currency, telling, begunAt: replayed ? null : begunAt };
  await answerWithRun(answer, { ...deps, clock });
}

/** Reads the request and starts its run, or finds the one it repeats. What is refused is recorded. */
async function begin(
  operation: Operation,
  { request, reply, caller, admitAgain, isRepeatOnly = false }: ImageCall,
  deps: ImageRouteDeps,
): Promise<StartedRun & { request: ImageRequest; runCaller: RunCaller }> {
  let given: GivenRequest | null = null;
  let model: string | null = null;
  let memory: UploadMemory | null = null;
  const { userId, apiKeyId } = caller;
  const runCaller = callerOf(request.raw.socket);
  Object.assign(factsOf(request), { userId, apiKeyId, operation });
  try {
    const hints = readHints(request, reply);
    memory = new UploadMemory({ ...deps.uploads, gone: hints.gone });
    const read = operation === 'generation' ? readGeneration : readEdit;
    const onModel = (name: string) => {
      model = name;
    };
    const asked = await read(request.raw, { ...deps.read, onModel, memory });
    given = asked.request;
    // A body may take minutes.
    await admitAgain();
    const onPicturesDropped = (areRead: boolean) => (areRead ? memory?.end() : memory?.free());
    const admitted = fetchingAdmitted(asked, admitAgain);
    const started = await runImageRequest(deps.services, caller, admitted, {
      ...hints,
      isRepeatOnly,
      runCaller,
      onPicturesDropped,
    });
    // The run of which this is a repeat has its own.
    if (started.replayed) memory.free();
    return {
      ...started,
      runCaller,
      request: { ...asked.request, referenceImages: [], mask: null },
    };
  } catch (thrown) {
    // No run has begun that could read what was sent.
    memory?.free();
    const error = toServiceError(thrown);
    const code = endOf(reply, deps) ?? recordCodeOf(error);
    deps.noteRefusal({ traceId: request.id, caller, operation, request: given, model, code });
    throw error;
  }
}

/** Fetching pictures may take minutes as well. */
function fetchingAdmitted(asked: ReadRequest, admitAgain: ImageCall['admitAgain']): ReadRequest {
  const { fetchPictures } = asked;
  if (!fetchPictures) return asked;
  const fetchAdmitted = async () => {
    const whole = await fetchPictures();
    await admitAgain();
    return whole;
  };
  return { ...asked, fetchPictures: fetchAdmitted };
}

/** Who ended the connection before it had an answer; null where nobody did. */
function endOf(
  reply: FastifyReply,
  { services: { runs } }: ImageRouteDeps,
): 'interrupted' | 'client_gone' | null {
  if (!reply.raw.destroyed) return null;
  return runs.isCutOff ? 'interrupted' : 'client_gone';
}

/** The connection, as one that takes no partial images: a stream says later how it takes them. */
function callerOf(socket: Socket): RunCaller {
  return {
    onPartial: () => null,
    hasLeft: () => socket.readableEnded || socket.errored !== null,
  };
}
