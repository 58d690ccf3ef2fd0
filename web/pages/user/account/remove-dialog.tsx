import { useAction } from '../../../forms/use-action.ts';
import { ErrorNote } from '../../../parts/error-note.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useRefreshAccount } from './account-matter.tsx';

export interface RemoveDialogProps {
  words: {
    title: string;
    text: string;
    confirm: string;
    /** Said when it is done. */
    done: string;
  };
  onRemove: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks before something is taken away by which somebody gets in, takes it away, and says so. */
export function RemoveDialog({ words, onRemove, onClose }: RemoveDialogProps) {
  const refresh = useRefreshAccount();
  const toast = useToast();
  const { run, isBusy, failure } = useAction(async () => {
    await onRemove();
    toast({ title: words.done });
    onClose();
    await refresh();
  });
  return (
    <ConfirmDialog
      open
      isDanger
      onClose={onClose}
      title={words.title}
      confirm={words.confirm}
      isBusy={isBusy}
      onConfirm={run}
    >
      <p>{words.text}</p>
      {failure && <ErrorNote error={failure} />}
    </ConfirmDialog>
  );
}
