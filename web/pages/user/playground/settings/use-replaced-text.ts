import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import type { Replaced } from '../draft/wanted.ts';
import { usePlayground } from '../playground-context.tsx';

/** "X-high is not offered by gen-image-2. Using high." Null where the wish is met. */
export function useReplacedText(): (name: Replaced['name']) => string | null {
  const t = useText(playgroundText);
  const { fitted, model } = usePlayground();
  const label = (replaced: Replaced, which: 'wanted' | 'used'): string => {
    switch (replaced.name) {
      case 'size':
        return t.sizes[replaced[which]];
      case 'quality':
        return t.qualities[replaced[which]];
      case 'format':
        return t.formats[replaced[which]];
      case 'background':
        return t.backgrounds[replaced[which]];
    }
  };
  return (name) => {
    const found = fitted.replaced.find((each) => each.name === name);
    if (!found || !model) return null;
    return t.replaced(label(found, 'wanted'), model.id, label(found, 'used'));
  };
}
