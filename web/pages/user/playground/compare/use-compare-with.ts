import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { beginningOf } from '../../../../../shared/beginning.ts';
import { fixedGalleryQuery } from '../../../../gallery/use-gallery.ts';
import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import type { Finished } from '../../../../viewer/finished.ts';
import { orderOfFinished } from '../finished/order-of-finished.ts';
import { useFinishedImage } from '../finished/use-finished-image.ts';
import { usePlayground } from '../playground-context.tsx';
import { finishedOf } from '../stage/stage-items.ts';
import { useStageItems } from '../stage/use-stage-items.ts';

const labelCharactersMax = 60;

/** The pictures that one can be compared with: its own references first, then other pictures. */
export function useCompareWith(finished: Finished) {
  const t = useText(playgroundText).compare;
  const { gallery } = usePlayground();
  const { items } = useStageItems();
  const { data: references = [] } = useQuery({
    ...fixedGalleryQuery,
    queryKey: ['gallery', 'references', finished.id],
    queryFn: async () => (await orderOfFinished(finished, gallery)).order.references,
    gcTime: 0,
  });
  const others = items.flatMap((item) => {
    const other = finishedOf(item);
    return other && other.id !== finished.id ? [other] : [];
  });
  const choices = [
    ...references.map(({ name }, index) => ({
      value: `reference-${index}`,
      label: t.reference(index + 1),
      detail: name,
    })),
    ...others.map(({ id, asked }) => ({
      value: id,
      label: t.image(beginningOf(asked.prompt, labelCharactersMax)),
    })),
  ];
  const [wanted, choose] = useState<string | null>(null);
  const chosen = choices.find(({ value }) => value === wanted)?.value ?? choices[0]?.value ?? '';
  const { image } = useFinishedImage(others.find(({ id }) => id === chosen) ?? null);
  const reference = references.find((_, index) => `reference-${index}` === chosen);
  return { choices, chosen, choose, other: reference?.image ?? image };
}
