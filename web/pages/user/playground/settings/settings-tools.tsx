import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { copyText } from '../../../../lib/clipboard.ts';
import { Button } from '../../../../ui/button.tsx';
import { useToast } from '../../../../ui/toast.tsx';
import { orderOf, settingsText } from '../draft/orders.ts';
import { useChangeDraft } from '../draft/use-change-draft.ts';
import { defaultWanted } from '../draft/wanted.ts';
import { usePlayground } from '../playground-context.tsx';

/** Back to the beginning, and the settings as text for somebody else. */
export function SettingsTools() {
  const t = useText(playgroundText);
  const { draft, model, fitted } = usePlayground();
  const { changeWanted } = useChangeDraft();
  const toast = useToast();
  const copy = () => {
    if (!model) return;
    const { prompt, references } = draft;
    const order = orderOf({ model: model.id, prompt, values: fitted.values, references });
    copyText(settingsText(order)).then(
      () => toast({ title: t.settingsCopied }),
      () => toast({ title: t.actions.copyFailed }),
    );
  };
  return (
    <div className="flex gap-2 border-t border-line pt-3">
      <Button look="quiet" size="small" onClick={() => changeWanted(() => defaultWanted)}>
        {t.reset}
      </Button>
      <Button look="quiet" size="small" onClick={copy}>
        {t.copySettings}
      </Button>
    </div>
  );
}
