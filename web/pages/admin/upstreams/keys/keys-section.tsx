import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { useAdminChange } from '../../../../api/admin-change.ts';
import {
  enableKey,
  type UpstreamDetail,
  type UpstreamKeyView,
} from '../../../../api/admin-upstreams.ts';
import { adminCommonText } from '../../../../i18n/admin-common-text.ts';
import { adminUpstreamsText } from '../../../../i18n/admin-upstreams-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { ErrorState } from '../../../../parts/error-state.tsx';
import { Section } from '../../../../parts/section.tsx';
import { Button } from '../../../../ui/button.tsx';
import { icon } from '../../../../ui/icon.ts';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { Menu } from '../../../../ui/menu.tsx';
import { Pill } from '../../../../ui/pill.tsx';
import { Time } from '../../../../ui/time.tsx';
import { faultText } from '../../fault-text.ts';
import { AddKeyDialog } from './add-key-dialog.tsx';
import { DeleteKeyDialog } from './delete-key-dialog.tsx';
import { ReplaceKeyDialog } from './replace-key-dialog.tsx';

type Asking = { kind: 'add' } | { kind: 'replace' | 'delete'; key: UpstreamKeyView };

/** The credentials of an upstream, by name: nothing gives one back. */
export function KeysSection({
  upstream: { id, key_list: keys },
  expected,
}: {
  upstream: UpstreamDetail;
  expected: string;
}) {
  const t = useText(adminUpstreamsText);
  const words = useText(adminCommonText);
  const [asking, setAsking] = useState<Asking | null>(null);
  const enabling = useAdminChange(({ name, enabled }: UpstreamKeyView) =>
    enableKey(id, name, !enabled),
  );
  const close = () => setAsking(null);
  return (
    <Section
      title={t.keys}
      text={t.keysHelp}
      actions={<Button onClick={() => setAsking({ kind: 'add' })}>{t.addKey}</Button>}
    >
      {keys.length === 0 && <p className="text-text-2">{t.noKeys}</p>}
      <ul className="overflow-hidden rounded-control border border-line bg-surface empty:hidden">
        {keys.map((key) => (
          <KeyRow
            key={key.name}
            upstreamKey={key}
            onToggle={() => enabling.mutate(key)}
            onAsk={(kind) => setAsking({ kind, key })}
          />
        ))}
      </ul>
      {enabling.error && <ErrorState error={enabling.error} title={words.changeFailed} />}
      {asking?.kind === 'add' && (
        <AddKeyDialog
          upstreamId={id}
          names={keys.map(({ name }) => name)}
          expected={expected}
          onClose={close}
        />
      )}
      {asking?.kind === 'replace' && (
        <ReplaceKeyDialog
          upstreamId={id}
          upstreamKey={asking.key}
          expected={expected}
          onClose={close}
        />
      )}
      {asking?.kind === 'delete' && (
        <DeleteKeyDialog upstreamId={id} name={asking.key.name} onClose={close} />
      )}
    </Section>
  );
}

function KeyRow({
  upstreamKey: { name, enabled, disabled_reason: reason, last_four: lastFour, created_at: at },
  onToggle,
  onAsk,
}: {
  upstreamKey: UpstreamKeyView;
  onToggle: () => void;
  onAsk: (kind: 'replace' | 'delete') => void;
}) {
  const t = useText(adminUpstreamsText);
  const words = useText(adminCommonText);
  return (
    <li className="flex items-center gap-3 py-1.5 pr-1.5 pl-3.5 not-first:border-t not-first:border-line">
      <span className="min-w-0 flex-1">
        <span className="font-semibold break-all" translate="no">
          {name}
        </span>
        <span className="block text-label text-text-2">
          {t.keySet} <Time at={at} look="date" />
          {lastFour !== null && (
            <>
              {' · '}
              {t.keyEnds} <code translate="no">{lastFour}</code>
            </>
          )}
        </span>
        {reason !== null && (
          <span className="block text-label text-bad">{faultText(reason, words)}</span>
        )}
      </span>
      <Pill tone={enabled ? 'ok' : reason === null ? 'neutral' : 'bad'}>
        {enabled ? t.keyEnabled : reason === null ? t.keyDisabled : t.keyRetired}
      </Pill>
      <Menu
        trigger={<IconButton label={t.keyActions(name)} icon={<Ellipsis {...icon} />} />}
        items={[
          { label: t.replaceKey, onSelect: () => onAsk('replace') },
          { label: enabled ? words.disable : words.enable, onSelect: onToggle },
          { kind: 'separator' },
          { label: words.delete, onSelect: () => onAsk('delete'), isDanger: true },
        ]}
      />
    </li>
  );
}
