import { Suspense, useSyncExternalStore } from 'react';
import { gateQuestion, watchGate } from '../api/session-gate.ts';
import { lazyPart } from '../parts/lazy-part.tsx';

const GateDialog = lazyPart(async () => (await import('./gate-dialog.tsx')).GateDialog, 'over');

/** Over the page when the session has ended: the page stays, and goes on after signing in again. */
export function SessionDialog() {
  const question = useSyncExternalStore(watchGate, gateQuestion);
  if (question === null) return null;
  return (
    <Suspense>
      <GateDialog question={question} />
    </Suspense>
  );
}
