/** What the upstream was asked against what it may be asked. */
import type { JournalLine } from '../../server/upstreams/sandbox/journal.ts';
import type { Offence, Rule } from './rule.ts';

/** `TINTYPE_ATTEMPTS_PER_PICTURE` is left at its default. */
const asksPerPictureMax = 3;
/** Work that an upstream has taken on may cost the operator: it is repeated once at most. */
const acceptedPerPictureMax = 2;

export const upstreamRules: readonly Rule[] = [
  {
    name: 'the upstream was asked only for requests whose money was held',
    check: ({ entries, upstream }) => ({
      checked: upstream.size,
      violations: [...upstream.keys()]
        .filter((traceId) => !entries.get(traceId)?.hold)
        .map((traceId) => ({ subject: traceId, detail: 'asked without a hold' })),
    }),
  },
  {
    name: 'the upstream was not asked more often than a request may',
    check: ({ entries, upstream }) => ({
      checked: upstream.size,
      violations: [...upstream].flatMap(([traceId, lines]) => [
        ...tooManyPictures(traceId, lines, entries.get(traceId)?.record.images_requested ?? 0),
        ...tooManyAttempts(traceId, lines),
      ]),
    }),
  },
];

function tooManyPictures(
  traceId: string,
  lines: readonly JournalLine[],
  wanted: number,
): Offence[] {
  const pictures = new Set(lines.map(({ pictureIndex }) => pictureIndex)).size;
  if (pictures <= wanted) return [];
  return [{ subject: traceId, detail: `${pictures} pictures asked for, ${wanted} wanted` }];
}

function tooManyAttempts(traceId: string, lines: readonly JournalLine[]): Offence[] {
  return [...Map.groupBy(lines, ({ pictureIndex }) => pictureIndex)].flatMap(([index, own]) => {
    const asked = own.filter(({ event }) => event === 'asked').length;
    const accepted = own.filter(({ event }) => event === 'accepted').length;
    if (asked <= asksPerPictureMax && accepted <= acceptedPerPictureMax) return [];
    const detail = `picture ${index} was asked for ${asked} times, accepted ${accepted} times`;
    return [{ subject: traceId, detail }];
  });
}
