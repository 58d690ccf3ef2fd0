import { requestText } from '../i18n/request-text.ts';
import { useText } from '../i18n/text.ts';
import { EmptyState } from '../ui/empty-state.tsx';

/** In the place of requests that are so old that they are counted in daily totals only. */
export function NotKept() {
  const t = useText(requestText);
  return <EmptyState title={t.notKept} />;
}
