import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useText } from '../i18n/text.ts';
import { uiText } from '../i18n/ui-text.ts';
import { copyText } from '../lib/clipboard.ts';
import { Button } from './button.tsx';
import { icon } from './icon.ts';
import { IconButton } from './icon-button.tsx';
import { useToast } from './toast.tsx';

export interface CopyButtonProps {
  text: string;
  /** What is copied, for the accessible name; by default just "Copy". */
  label?: string;
  /** With its word beside the picture. */
  isWide?: boolean;
  /** Wide, and with these words instead of "Copy". */
  words?: string;
}

const confirmedMs = 2_000;

/** Confirms in place, and to screen readers. */
export function CopyButton({ text, label, isWide = false, words }: CopyButtonProps) {
  const t = useText(uiText);
  const [isCopied, setCopied] = useState(false);
  const toast = useToast();
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), confirmedMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = () => {
    copyText(text).then(
      () => setCopied(true),
      () => toast({ title: t.copyFailed }),
    );
  };
  const picture = isCopied ? <Check {...icon} /> : <Copy {...icon} />;
  return (
    <>
      {isWide || words ? (
        <Button
          size={words ? 'normal' : 'small'}
          icon={picture}
          onClick={copy}
          {...(label ? { 'aria-label': label } : {})}
        >
          {isCopied ? t.copied : (words ?? t.copy)}
        </Button>
      ) : (
        <IconButton
          size="small"
          label={isCopied ? t.copied : (label ?? t.copy)}
          icon={picture}
          onClick={copy}
        />
      )}
      <span role="status" className="sr-only">
        {isCopied ? t.copied : ''}
      </span>
    </>
  );
}
