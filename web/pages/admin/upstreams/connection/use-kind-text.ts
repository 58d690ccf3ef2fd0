import type { UpstreamKind } from '../../../../../shared/console/admin-upstreams.ts';
import { adminKindsText } from '../../../../i18n/admin-kinds-text.ts';
import { useText } from '../../../../i18n/text.ts';

/** A kind in the reader's language, where the console knows it; else as the service says it. */
export function useKindText({ kind, title, description }: UpstreamKind) {
  const known = useText(adminKindsText)[kind];
  return { title: known?.title ?? title, description: known?.description ?? description };
}
