import { useId } from 'react';
import { galleryText } from '../i18n/gallery-text.ts';
import { useText } from '../i18n/text.ts';

const choices = ['keep', 'delete'] as const;

/** Two sentences to choose from. */
export function SignOutChoice({
  value,
  onChange,
}: {
  value: 'keep' | 'delete';
  onChange: (value: 'keep' | 'delete') => void;
}) {
  const t = useText(galleryText).signOut;
  const name = useId();
  return (
    <div role="radiogroup" aria-label={t.title} className="grid gap-2">
      {choices.map((choice) => (
        <label key={choice} className="pointer-coarse:min-h-11 flex items-start gap-2">
          <input
            type="radio"
            name={name}
            className="check mt-[3px]"
            checked={value === choice}
            onChange={() => onChange(choice)}
          />
          {t[choice]}
        </label>
      ))}
    </div>
  );
}
