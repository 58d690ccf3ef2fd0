import { useEffect, useId, useRef } from 'react';
import { entryText } from '../i18n/entry-text.ts';
import { useText } from '../i18n/text.ts';
import { recoveryCodesFew } from '../lib/recovery-codes-few.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';

/** For whoever has just signed in by one of them. */
export function RecoveryCodesLeft({ left, onGoOn }: { left: number; onGoOn: () => void }) {
  const t = useText(entryText).signIn.recovered;
  const noticeId = useId();
  const button = useRef<HTMLButtonElement>(null);
  // The field that had the focus is gone; what is said here is read out with it.
  useEffect(() => button.current?.focus(), []);
  const areFew = left <= recoveryCodesFew;
  return (
    <div className="grid gap-4">
      <div id={noticeId}>
        <Notice tone={areFew ? 'warn' : 'accent'} title={t.left(left)}>
          <p>{t.usedUp}</p>
          {areFew && <p>{t.renew}</p>}
        </Notice>
      </div>
      <Button ref={button} look="primary" size="large" aria-describedby={noticeId} onClick={onGoOn}>
        {t.goOn}
      </Button>
    </div>
  );
}
