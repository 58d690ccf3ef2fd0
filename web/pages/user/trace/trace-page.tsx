import { useParams } from '@tanstack/react-router';
import { useText } from '../../../i18n/text.ts';
import { usageText } from '../../../i18n/usage-text.ts';
import { Missing } from '../../../parts/missing.tsx';
import { Page } from '../../../parts/page.tsx';
import { paths } from '../../../paths.ts';

/** For a trace ID of nothing, or of nothing that the viewer may see; the others never get here. */
export function TracePage() {
  const t = useText(usageText);
  // The route has this parameter.
  const { traceId = '' }: { traceId?: string } = useParams({ strict: false });
  return (
    <Page title={t.trace} width="reading">
      <Missing id={traceId} list={{ to: paths.usage(), label: t.title }} isRequest />
    </Page>
  );
}
