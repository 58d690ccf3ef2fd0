import { keysText } from '../../../i18n/keys-text.ts';
import { useText } from '../../../i18n/text.ts';
import { Notice } from '../../../ui/notice.tsx';

/** When the answer got lost that had a new key's secret: what may be there, and what becomes of it. */
export function UnseenKeyNotice() {
  const t = useText(keysText);
  return <Notice tone="warn">{t.unsure}</Notice>;
}
