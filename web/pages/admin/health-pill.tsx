import type { AdminUpstream } from '../../../shared/console/admin-upstreams.ts';
import { adminCommonText } from '../../i18n/admin-common-text.ts';
import { useText } from '../../i18n/text.ts';
import type { Tone } from '../../ui/notice.tsx';
import { Pill } from '../../ui/pill.tsx';

export function HealthPill({ health }: { health: AdminUpstream['health'] }) {
  const t = useText(adminCommonText);
  return <Pill tone={tones[health]}>{t.health[health]}</Pill>;
}

const tones = {
  disabled: 'neutral',
  retired: 'bad',
  idle: 'warn',
  failing: 'bad',
  healthy: 'ok',
  unknown: 'neutral',
} as const satisfies Readonly<Record<AdminUpstream['health'], Tone>>;
