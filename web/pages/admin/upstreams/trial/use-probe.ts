import { useEffect, useRef, useState } from 'react';
import type { ProbeEvent } from '../../../../../shared/console/admin-upstreams.ts';
import { probePathOf } from '../../../../api/admin-upstreams.ts';
import { ApiError, toApiError } from '../../../../api/api-error.ts';
import { decodeBase64 } from '../../../../api/decode-base64.ts';
import { streamEvents } from '../../../../api/event-stream.ts';

type MadeEvent = Extract<ProbeEvent, { type: 'made' }>;
export type MadePicture = Omit<MadeEvent, 'picture'> & { image: Blob };
export type ProbeFailure = Extract<ProbeEvent, { type: 'failed' }>;
export type ProbeResult = MadePicture | ProbeFailure;

export interface ProbeState {
  /** `cut`: the connection ended before the probe did. */
  phase: 'idle' | 'running' | 'done' | 'canceled' | 'cut';
  /** What is being made. */
  operation: string | null;
  results: readonly ProbeResult[];
  error: ApiError | null;
}

export interface ProbeWish {
  upstreamId: string;
  upstreamModel: string;
  key: string | null;
}

const nothing: ProbeState = { phase: 'idle', operation: null, results: [], error: null };

/** A paid probe: its results as they come. Leaving the page cancels it. */
export function useProbe() {
  const [state, setState] = useState(nothing);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const run = async (wish: ProbeWish) => {
    const controller = new AbortController();
    running.current = controller;
    setState({ ...nothing, phase: 'running' });
    try {
      for await (const event of eventsOf(wish, controller.signal)) {
        setState((before) => after(before, event));
      }
      // Without its last event the stream was cut.
      setState((before) => (before.phase === 'running' ? { ...before, phase: 'cut' } : before));
    } catch (thrown) {
      const error = toApiError(thrown);
      setState((before) =>
        controller.signal.aborted
          ? { ...before, phase: 'canceled' }
          : { ...before, phase: 'done', error },
      );
    }
  };
  return { state, run, cancel: () => running.current?.abort() };
}

function eventsOf({ upstreamId, upstreamModel, key }: ProbeWish, signal: AbortSignal) {
  return streamEvents<ProbeEvent>({
    method: 'POST',
    path: probePathOf(upstreamId),
    body: { upstream_model: upstreamModel, key, agreed: true },
    signal,
  });
}

function after(state: ProbeState, event: ProbeEvent): ProbeState {
  switch (event.type) {
    case 'plan':
      return state;
    case 'started':
      return { ...state, operation: event.operation };
    case 'made':
      return { ...state, operation: null, results: [...state.results, pictureOf(event)] };
    case 'failed':
      return { ...state, operation: null, results: [...state.results, event] };
    case 'error': {
      const { code, message, trace_id: traceId } = event.error;
      // The codes of events are those of answers.
      const error = new ApiError({ code: code as ApiError['code'], message, traceId });
      return { ...state, phase: 'done', error };
    }
    case 'end':
      return { ...state, phase: 'done' };
  }
}

/** As bytes: pages of ours show no data URLs. */
function pictureOf({ picture, ...made }: MadeEvent): MadePicture {
  const image = new Blob([decodeBase64(picture.slice(picture.indexOf(',') + 1))], {
    type: `image/${made.format}`,
  });
  return { ...made, image };
}
