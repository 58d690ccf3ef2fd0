import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { isDialogOpen, useShortcuts } from '../../../../lib/shortcuts.ts';
import { ReferencesField } from '../references/references-field.tsx';
import { GenerateBar } from './generate-bar.tsx';
import { ModelPicker } from './model-picker.tsx';
import { OptionControls } from './option-controls.tsx';
import { PromptField } from './prompt-field.tsx';
import { SettingsTools } from './settings-tools.tsx';
import { useGenerate } from './use-generate.ts';

/** Everything a request is made of, and the button that sends it. */
export function SettingsColumn() {
  const t = useText(playgroundText);
  const generate = useGenerate();
  useGenerateKeys(generate.run);
  return (
    <section
      aria-label={t.settings}
      className="flex min-h-0 min-w-0 flex-col border-line bg-surface max-lg:border-t lg:border-r"
    >
      <div className="grid min-h-0 flex-1 content-start gap-4 p-4 max-lg:pb-36 lg:overflow-y-auto">
        <PromptField onGenerate={generate.run} />
        <ReferencesField />
        <ModelPicker />
        <OptionControls />
        <SettingsTools />
      </div>
      <GenerateBar generate={generate} />
    </section>
  );
}

/** Wherever the focus is, but not from what lies over the page: the mask editor, a list of choices. */
function useGenerateKeys(onGenerate: () => void): void {
  const run = () => {
    // A list that was closed stays in the page, without the focus.
    const isInList = document.activeElement?.closest('[role="listbox"], [role="menu"]');
    if (!isInList && !isDialogOpen()) onGenerate();
  };
  useShortcuts({ 'mod+enter': run }, true);
}
