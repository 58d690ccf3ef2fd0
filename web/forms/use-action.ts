import { useRef, useState } from 'react';
import { type ApiError, toApiError } from '../api/api-error.ts';

export interface Action<Args extends readonly unknown[]> {
  run: (...args: Args) => void;
  isBusy: boolean;
  /** Why the last run failed; who was asked for a proof and gave none changed their mind. */
  failure: ApiError | null;
}

/** Something that a click sets off: once at a time, and its failure is to be shown beside it. */
export function useAction<Args extends readonly unknown[]>(
  work: (...args: Args) => Promise<unknown>,
): Action<Args> {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiError | null>(null);
  // Two clicks may come before the next rendering.
  const isRunning = useRef(false);
  const start = async (...args: Args) => {
    isRunning.current = true;
    setBusy(true);
    setFailure(null);
    try {
      await work(...args);
    } catch (thrown) {
      const error = toApiError(thrown);
      setFailure(error.code === 'proof_needed' ? null : error);
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  };
  return {
    run: (...args) => {
      if (!isRunning.current) void start(...args);
    },
    isBusy,
    failure,
  };
}
