import { useParams } from '@tanstack/react-router';

/** Of the request that is open beside the list; null when none is. */
export function useOpenTraceId(): string | null {
  const { traceId }: { traceId?: string } = useParams({ strict: false });
  return traceId ?? null;
}
