import type { UsageDetail } from '../../../../shared/console/usage.ts';
import { useText } from '../../../i18n/text.ts';
import { usageText } from '../../../i18n/usage-text.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';

/** What an administrator needs to find the request, and nothing else. */
export function SupportText({ record }: { record: UsageDetail }) {
  const t = useText(usageText);
  const { trace_id: traceId, started_at: at, model, code } = record;
  const text = [traceId, at, model, code].filter((each) => each !== null).join('\n');
  return <CopyButton text={text} words={t.copySupport} />;
}
