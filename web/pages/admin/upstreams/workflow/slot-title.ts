import type { adminUpstreams } from '../../../../i18n/en/admin-upstreams.ts';

/** What a slot of a workflow is called; one that no language names keeps its own name. */
export function slotTitle(
  name: string,
  { slots, slotImage }: Pick<typeof adminUpstreams, 'slots' | 'slotImage'>,
): string {
  const [, image] = /^images\.(\d+)$/.exec(name) ?? [];
  if (image !== undefined) return slotImage(Number(image) + 1);
  return slots[name] ?? name;
}
