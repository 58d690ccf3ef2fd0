import type { SettingView } from '../../../../shared/console/admin-settings.ts';
import { parseAmount } from '../../../../shared/money.ts';
import type { adminSettings } from '../../../i18n/en/admin-settings.ts';
import { isZone } from '../../../lib/range-search.ts';

interface Words {
  t: typeof adminSettings;
  badAmount: string;
}

/** What is wrong with a value before it is sent; null when nothing is that can be told here. */
export function problemOf(
  { form }: SettingView,
  text: string,
  { t, badAmount }: Words,
): string | null {
  switch (form.kind) {
    case 'integer':
      return isWithin(text, form) ? null : t.badInteger(form.min, form.max);
    case 'amount': {
      const amount = parseAmount(text);
      return amount !== null && amount >= 0 ? null : badAmount;
    }
    case 'url':
      return text.trim() === '' || /^https?:\/\/\S+$/i.test(text.trim()) ? null : t.badUrl;
    case 'zone':
      return isZone(text.trim()) ? null : t.badZone;
    case 'choice':
    case 'text':
      return null;
  }
}

function isWithin(text: string, { min, max }: { min: number; max: number }): boolean {
  return /^\d{1,15}$/.test(text.trim()) && Number(text) >= min && Number(text) <= max;
}
