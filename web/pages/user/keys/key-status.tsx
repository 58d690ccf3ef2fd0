import type { KeyView } from '../../../../shared/console/keys.ts';
import { keysText } from '../../../i18n/keys-text.ts';
import { useText } from '../../../i18n/text.ts';
import type { Tone } from '../../../ui/notice.tsx';
import { Pill } from '../../../ui/pill.tsx';

export function KeyStatus({ status }: Pick<KeyView, 'status'>) {
  const t = useText(keysText);
  return <Pill tone={tones[status]}>{t.statuses[status]}</Pill>;
}

const tones = {
  active: 'ok',
  disabled: 'neutral',
  expired: 'warn',
  revoked: 'bad',
} as const satisfies Readonly<Record<KeyView['status'], Tone>>;
