/**
 * Where requests wait when the session has ended, or when the service wants to see the password once more: a dialog
 * over the page asks the user, and then the requests are sent again. Nothing on the page is lost.
 */
export type GateQuestion = 'sign_in' | 'proof';

interface Waiting {
  question: GateQuestion;
  promise: Promise<boolean>;
  resolve: (answered: boolean) => void;
}

let waiting: Waiting | null = null;
const listeners = new Set<() => void>();

/** Resolves to whether the user did what was asked; to false at once where no page is there to ask. */
export function waitAtGate(question: GateQuestion): Promise<boolean> {
  if (!canAskAtGate()) return Promise.resolve(false);
  // To sign in is a proof, too.
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

/** For the dialog: lets the waiting requests go on, or fail. */
export function openGate(answered: boolean): void {
  waiting?.resolve(answered);
  waiting = null;
  tell();
}

/** What is being asked; null when nothing is. */
export function gateQuestion(): GateQuestion | null {
  return waiting?.question ?? null;
}

/** For the frame of the pages, which shows the dialog: the gate can ask for as long as somebody watches it. */
export function watchGate(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(): void {
  for (const listener of listeners) listener();
}
