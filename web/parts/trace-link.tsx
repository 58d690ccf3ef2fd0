import { paths } from '../paths.ts';
import { TraceId } from '../ui/trace-id.tsx';

/** A trace ID as a link to what it stands for, and a button that copies it. */
export function TraceLink({
  traceId,
  isFluid = false,
}: {
  traceId: string;
  /** In a column. */
  isFluid?: boolean;
}) {
  return <TraceId traceId={traceId} to={paths.trace(traceId)} isFluid={isFluid} />;
}
