import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { IssuedKeyView, KeyView } from '../../../../shared/console/keys.ts';
import { enableKey, revokeKey } from '../../../api/keys.ts';
import { useAction } from '../../../forms/use-action.ts';
import { keysText } from '../../../i18n/keys-text.ts';
import { useText } from '../../../i18n/text.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { useLeadOn } from '../../../lib/still-here.ts';
import { ErrorNote } from '../../../parts/error-note.tsx';
import { useTellFailure } from '../../../parts/use-tell-failure.ts';
import { paths } from '../../../paths.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { KeySecret } from './key-secret.tsx';
import { keysSearch } from './keys-state.ts';
import { RotateDialog } from './rotate-dialog.tsx';

export interface KeyActions {
  /** Enabled becomes disabled, and back. */
  toggle: () => void;
  rotate: () => void;
  revoke: () => void;
  /** The dialogs of these, wherever they are on the page. */
  dialogs: ReactNode;
}

type Open = { kind: 'rotate' } | { kind: 'revoke' } | { kind: 'secret'; issued: IssuedKeyView };

/** What can be done with a key; one set for the list and one for the panel. */
export function useKeyActions(key: KeyView): KeyActions {
  const t = useText(keysText);
  const [open, setOpen] = useState<Open | null>(null);
  const queryClient = useQueryClient();
  const toast = useToast();
  const tellFailure = useTellFailure();
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['keys'] });
  const close = () => setOpen(null);
  const isEnabled = key.status !== 'disabled';
  const toggle = async () => {
    await enableKey(key.id, !isEnabled);
    toast({ title: isEnabled ? t.disabledDone(key.name) : t.enabledDone(key.name) });
    await refresh();
  };
  return {
    toggle: () => void toggle().catch((error) => tellFailure(t.notChanged(key.name), error)),
    rotate: () => setOpen({ kind: 'rotate' }),
    revoke: () => setOpen({ kind: 'revoke' }),
    dialogs: (
      <>
        {open?.kind === 'rotate' && (
          <RotateDialog
            apiKey={key}
            onClose={close}
            onRotated={(issued) => setOpen({ kind: 'secret', issued })}
          />
        )}
        {open?.kind === 'revoke' && <RevokeDialog apiKey={key} onClose={close} />}
        {open?.kind === 'secret' && (
          <KeySecret
            issued={open.issued}
            title={t.rotatedTitle}
            onDone={() => {
              close();
              void refresh();
            }}
          />
        )}
      </>
    ),
  };
}

function RevokeDialog({ apiKey, onClose }: { apiKey: KeyView; onClose: () => void }) {
  const t = useText(keysText);
  const { id, name } = apiKey;
  const queryClient = useQueryClient();
  const leadOn = useLeadOn();
  const [state] = useSearchState(keysSearch);
  const toast = useToast();
  const { run, isBusy, failure } = useAction(async () => {
    await revokeKey(id);
    toast({ title: t.revokedDone(name) });
    onClose();
    // What was typed of a key that is no more is nothing to ask about.
    await leadOn({
      to: paths.keys().path,
      search: state,
      resetScroll: false,
      ignoreBlocker: true,
    });
    await queryClient.invalidateQueries({ queryKey: ['keys'] });
  });
  return (
    <ConfirmDialog
      open
      isDanger
      onClose={onClose}
      title={t.revokeTitle(name)}
      confirm={t.revokeConfirm(name)}
      isBusy={isBusy}
      onConfirm={run}
      typed={{ label: t.revokeTyped, expected: name }}
    >
      <p>{t.revokeText}</p>
      {failure && <ErrorNote error={failure} />}
    </ConfirmDialog>
  );
}
