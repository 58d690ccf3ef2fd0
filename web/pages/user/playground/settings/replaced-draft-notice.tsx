import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { Button } from '../../../../ui/button.tsx';
import { Notice } from '../../../../ui/notice.tsx';
import { bringBack } from '../draft/draft.ts';
import { useChangeDraft } from '../draft/use-change-draft.ts';
import { focusField } from '../focus-field.ts';
import { usePlayground } from '../playground-context.tsx';

/** When a picture's request came in place of what somebody had made: offers that again. */
export function ReplacedDraftNotice() {
  const t = useText(playgroundText);
  const { draft } = usePlayground();
  const { change } = useChangeDraft();
  if (!draft.replaced) return null;
  const leave = (by: Parameters<typeof change>[0]) => {
    change(by);
    focusField('prompt');
  };
  return (
    <Notice
      actions={
        <>
          <Button size="small" onClick={() => leave(bringBack)}>
            {t.replacedDraft.back}
          </Button>
          <Button size="small" look="quiet" onClick={() => leave(() => ({ replaced: null }))}>
            {t.dismiss}
          </Button>
        </>
      }
    >
      {t.replacedDraft.text}
    </Notice>
  );
}
