import { useMemo } from 'react';
import { useFormats, type WireAmount } from '../../../i18n/formats.tsx';
import { usePlayground } from './playground-context.tsx';

/** Writes prices with as many decimals as the dearest to write of all models: they are compared. */
export function usePrices(): (amount: WireAmount) => string {
  const formats = useFormats();
  const { models } = usePlayground();
  return useMemo(
    () => formats.prices((models ?? []).flatMap(({ price }) => (price ? [price] : []))),
    [formats, models],
  );
}
