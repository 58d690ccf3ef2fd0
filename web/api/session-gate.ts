/**
 * What happens when a session has ended, or the service wants the password once more: requests wait
 * here while a dialog over the page asks, and are then sent again. Nothing on the page is lost.
 */
export type GateQuestion = 'sign_in' | 'proof';

interface Waiting {
  question: GateQuestion;
  promise: Promise<boolean>;
  resolve: (answered: boolean) => void;
}

let waiting: Waiting | null = null;
const listeners = new Set<() => void>();

/** Resolves to whether the user did it; at once to false on a page that could not ask. */
export function waitAtGate(question: GateQuestion): Promise<boolean> {
  if (!canAskAtGate()) return Promise.resolve(false);
  // Who has to sign in proves by it who they are.
  if (waiting && (waiting.question === question || waiting.question === 'sign_in')) {
    return waiting.promise;
  }
  waiting?.resolve(false);
  waiting = { question, ...Promise.withResolvers<boolean>() };
  tell();
  return waiting.promise;
}

/** Whether there is a page that would ask. */
export function canAskAtGate(): boolean {
  return listeners.size > 0;
}

/** By the dialog: lets the requests go on, or fail. */
export function openGate(answered: boolean): void {
  waiting?.resolve(answered);
  waiting = null;
  tell();
}

/** What is being asked; null when nothing is. */
export function gateQuestion(): GateQuestion | null {
  return waiting?.question ?? null;
}

/** By the frame of the pages: as long as it is there, somebody can be asked. */
export function watchGate(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(): void {
  for (const listener of listeners) listener();
}
