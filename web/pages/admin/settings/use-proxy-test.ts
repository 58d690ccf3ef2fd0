import { useEffect, useRef, useState } from 'react';
import { holdStreamOpen } from '../../../api/admin-settings.ts';
import { type ApiError, toApiError } from '../../../api/api-error.ts';

/** Longer than the slowest image. */
const streamSeconds = 150;

export interface ProxyTestState {
  phase: 'idle' | 'running' | 'passed' | 'cut' | 'stopped' | 'refused';
  /** When it ended. */
  elapsedMs: number;
  error: ApiError | null;
}

const nothing: ProxyTestState = { phase: 'idle', elapsedMs: 0, error: null };

/** Holds a stream open, and says how that ended. Leaving the page ends it. */
export function useProxyTest() {
  const [state, setState] = useState(nothing);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const begin = async () => {
    const controller = new AbortController();
    running.current = controller;
    const begun = performance.now();
    const end = (phase: ProxyTestState['phase'], error: ApiError | null = null) =>
      setState({ phase, elapsedMs: performance.now() - begun, error });
    setState({ ...nothing, phase: 'running' });
    try {
      const isWhole = await holdStreamOpen(streamSeconds, controller.signal);
      end(isWhole ? 'passed' : 'cut');
    } catch (thrown) {
      if (controller.signal.aborted) end('stopped');
      else endWith(toApiError(thrown));
    }

    /** An answer that is an error never was a stream; anything else cut one. */
    function endWith(error: ApiError) {
      if (error.code === 'unreadable' && error.traceId === null) end('cut');
      else end('refused', error);
    }
  };
  return { state, begin, stop: () => running.current?.abort() };
}
