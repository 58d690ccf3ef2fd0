import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { Button } from '../../../../ui/button.tsx';
import { Notice } from '../../../../ui/notice.tsx';
import { readSettingsText } from '../draft/orders.ts';
import { useChangeDraft } from '../draft/use-change-draft.ts';
import { readWanted } from '../draft/wanted.ts';
import { focusField } from '../focus-field.ts';
import { usePlayground } from '../playground-context.tsx';

/** When the prompt is what "Copy settings" copies: offers to take it for that. */
export function PastedSettingsNotice() {
  const t = useText(playgroundText).pasted;
  const { draft } = usePlayground();
  const { change } = useChangeDraft();
  const pasted = readSettingsText(draft.prompt);
  if (!pasted) return null;
  const restore = () => {
    change(({ wanted }) => ({
      prompt: pasted.prompt,
      model: pasted.model,
      wanted: readWanted(pasted.fields, wanted),
    }));
    // The button goes away.
    focusField('prompt');
  };
  return (
    <Notice
      actions={
        <Button size="small" onClick={restore}>
          {t.restore}
        </Button>
      }
    >
      {t.text}
    </Notice>
  );
}
