import type { Call } from '../../../lib/calls.ts';
import { type EncodedImage, lengthOf } from '../../../lib/pictures/encoded-image.ts';
import type { RunOutcome, Withholding } from '../runs/answerable-run.ts';
import type { ImageRun } from '../runs/image-run.ts';
import type { RunCaller } from '../runs/run-caller.ts';
import { type LentOutcome, pieceBytesMax, type ToBorrower, type ToLender } from './run-talk.ts';

/**
 * Lends a run to another process, which answers with it. To the run that process is one more caller, who takes no
 * partial images. Resolves when it has left.
 */
export function lendRun(run: ImageRun, call: Call): Promise<void> {
  const left = Promise.withResolvers<void>();
  // It counts as one that has left before it says that it is there: this process may have stood still and taken a call that
  // the other one has given up, whose next question then stands behind it. It does so again once it has left. Nobody here
  // knows whether its connection ended right behind its answer; but it was a repeat itself, so another repeat that comes
  // so soon is believed to be of the same client.
  let isThere = false;
  const borrower: RunCaller = { onPartial: () => null, hasLeft: () => !isThere };
  run.attach(borrower);
  let isCutOff = false;
  const leave = (finished: boolean) => {
    isThere = false;
    run.detach(borrower, finished);
    left.resolve();
  };
  const say = (said: ToBorrower) => call.say(said);
  let pictures: readonly EncodedImage[] = [];
  void run.outcome.then((outcome) => {
    if (outcome.kind === 'succeeded') pictures = outcome.result.pictures.map(({ image }) => image);
    say({ kind: 'outcome', outcome: describe(outcome, run.delivered) });
  });
  // An answer that the other process cuts off because it stops was not offered. Nor is it withheld: this process goes on.
  const markOffered = () => {
    if (!isCutOff) run.markOffered();
  };
  const markWithheld = (why: Withholding) => {
    if (why === 'interrupted') isCutOff = true;
    else run.markWithheld(why);
  };
  call.hear((heard) => {
    // Both processes are of one version.
    const said = heard as ToLender;
    if (said.kind === 'joined') isThere = true;
    else if (said.kind === 'read') say({ kind: 'piece', bytes: pieceOf(pictures, said) });
    else if (said.kind === 'offered') markOffered();
    else if (said.kind === 'withheld') markWithheld(said.why);
    else if (said.kind === 'delivered') run.markDelivered();
    else if (said.kind === 'leave') leave(said.finished);
    // `returned`: this process looks for itself, and answers with the run no more if it finds the same.
    else void run.mayHandOver().catch(() => false);
  });
  call.onEnd(() => leave(false));
  return left.promise;
}

function describe(outcome: RunOutcome, isPaid: boolean): LentOutcome {
  if (outcome.kind === 'failed') {
    const { code, message, param, retryAfterSeconds, retryable } = outcome.error;
    const options = {
      ...(param !== null && { param }),
      ...(retryAfterSeconds !== null && { retryAfterSeconds }),
      ...(retryable !== null && { retryable }),
    };
    return { kind: 'failed', error: { code, message, options } };
  }
  const { pictures, ...result } = outcome.result;
  const lent = pictures.map(({ image, ...told }) => ({
    ...told,
    encoding: image.encoding,
    length: lengthOf(image),
  }));
  return { kind: 'succeeded', result: { ...result, pictures: lent }, isPaid };
}

function pieceOf(
  pictures: readonly EncodedImage[],
  { picture, from }: { picture: number; from: number },
): Uint8Array {
  const image = pictures[picture];
  if (!image) return new Uint8Array();
  const bytes = image.encoding === 'raw' ? image.bytes : image.ascii;
  return bytes.subarray(from, from + pieceBytesMax);
}
