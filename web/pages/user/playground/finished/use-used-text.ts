import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import type { Finished } from '../../../../viewer/finished.ts';

/** What was asked for and done otherwise; nothing of what was left to the model. */
export function useUsedText(): (finished: Finished) => readonly string[] {
  const t = useText(playgroundText);
  return ({ asked, used }) => {
    const pairs = [
      [t.size, t.sizeHelp, asked.size, used.size],
      [t.quality, t.qualities, asked.quality, used.quality],
      [t.format, t.formats, asked.output_format ?? 'png', used.output_format],
      [t.background, t.backgrounds, asked.background, used.background],
    ] as const;
    return pairs.flatMap(([name, labels, wanted, got]) =>
      wanted === undefined || wanted === 'auto' || wanted === got
        ? []
        : [t.usedPair(name, labelOf(labels, wanted), labelOf(labels, got))],
    );
  };
}

/** A value that the page has no word for is shown as the service wrote it. */
export function labelOf(labels: Readonly<Record<string, string>>, value: string): string {
  return labels[value] ?? value.replace(/^(\d+)x(\d+)$/, '$1 × $2');
}
