import type { KeyboardEvent } from 'react';
import { imageLimits } from '../../../../../shared/limits.ts';
import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { isComposing } from '../../../../lib/shortcuts.ts';
import { Field } from '../../../../ui/field.tsx';
import { Textarea } from '../../../../ui/textarea.tsx';
import { useChangeDraft } from '../draft/use-change-draft.ts';
import { usePlayground } from '../playground-context.tsx';
import { PastedSettingsNotice } from './pasted-settings-notice.tsx';
import { ReplacedDraftNotice } from './replaced-draft-notice.tsx';
import { promptLength } from './use-generate.ts';
import { usePromptHistory } from './use-prompt-history.ts';

/** The counter appears when there is something to count. */
const countedFromShare = 0.8;
const { promptCharactersMax } = imageLimits;

export function PromptField({ onGenerate }: { onGenerate: () => void }) {
  const t = useText(playgroundText);
  const { draft } = usePlayground();
  const { change } = useChangeDraft();
  const history = usePromptHistory();
  const length = promptLength(draft.prompt);
  const recall = async (direction: 'older' | 'newer') => {
    const found = await history(direction, draft.prompt);
    if (found !== null) change(() => ({ prompt: found }));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (isComposing(event.nativeEvent)) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      // A key that is held is one: each request is paid for.
      if (!event.repeat) onGenerate();
    } else if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      event.preventDefault();
      void recall(event.key === 'ArrowUp' ? 'older' : 'newer');
    }
  };
  return (
    <div className="grid gap-2" data-field="prompt">
      <Field
        label={t.prompt}
        note={t.operations[draft.references.length === 0 ? 'generation' : 'edit']}
        error={length > promptCharactersMax ? t.promptCount(length, promptCharactersMax) : null}
        help={
          length > promptCharactersMax * countedFromShare && length <= promptCharactersMax
            ? t.promptCount(length, promptCharactersMax)
            : null
        }
      >
        <Textarea
          name="prompt"
          lines={[5, 14]}
          value={draft.prompt}
          placeholder={
            draft.references.length === 0 ? t.promptPlaceholder : t.promptPlaceholderEdit
          }
          onChange={(prompt) => change(() => ({ prompt }))}
          onKeyDown={onKeyDown}
        />
      </Field>
      <PastedSettingsNotice />
      <ReplacedDraftNotice />
    </div>
  );
}
