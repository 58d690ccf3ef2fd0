import { paths } from '../paths.ts';
import { TraceId } from '../ui/trace-id.tsx';

/** A trace ID as a link to what it stands for, and a button that copies it. */
export function TraceLink({ traceId }: { traceId: string }) {
  return <TraceId traceId={traceId} to={paths.trace(traceId)} />;
}
