/** Language and theme of whoever is signed in: in force from when the service tells of them. */
import { useEffect, useRef } from 'react';
import { type SignedInUser, useUser } from '../api/bootstrap.ts';
import { changeLocale, currentLocale } from '../i18n/locale.ts';
import { showTheme } from '../lib/theme.ts';

type Look = Pick<SignedInUser['preferences'], 'language' | 'theme'>;

export async function obeyPreferences({ language, theme }: Look): Promise<void> {
  showTheme(theme);
  // Null leaves it to the browser, but only of who has an account here.
  if (language !== currentLocale()) await changeLocale(language);
}

/** For the frame of the pages behind the sign-in: who signs in has chosen before, and may choose in another window. */
export function usePreferencesInForce(): void {
  const { language, theme } = useUser().preferences;
  const before = useRef(language);
  useEffect(() => {
    // The language in which somebody signed in stays, unless they have chosen one for good.
    const isLeft = language === null && before.current === null;
    before.current = language;
    // Where its words cannot be loaded now, the one of before goes on.
    obeyPreferences({ language: isLeft ? currentLocale() : language, theme }).catch(() => {});
  }, [language, theme]);
}
