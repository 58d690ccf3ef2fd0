import type { ImageJob } from '../upstream.ts';
import {
  atLeast,
  atMost,
  isBelow,
  nearestAspect,
  parseSize,
  ratioOf,
  type Size,
} from '../wire/geometry.ts';
import type { Offers, SizeLimits, SizeStyle, Tier } from './dialect.ts';

export interface SizeFields {
  fields: Readonly<Record<string, unknown>>;
  /** Whether the picture will have another size than was asked for. */
  isApproximate: boolean;
}

/** How a size is said in the service's words. */
export function sizeFields(size: ImageJob['size'], style: SizeStyle): SizeFields {
  if (style.as === 'nothing') return { fields: {}, isApproximate: size !== 'auto' };
  if (size === 'auto') return { fields: autoField(style), isApproximate: false };
  if (style.as === 'aspect_ratio') return aspectFields(size, style);
  const made = sizeMade(size, style);
  const isApproximate = made.width !== size.width || made.height !== size.height;
  if (style.as === 'pixels') {
    return { fields: { [style.field]: `${made.width}x${made.height}` }, isApproximate };
  }
  return { fields: { [style.width]: made.width, [style.height]: made.height }, isApproximate };
}

function autoField(
  style: Exclude<SizeStyle, { as: 'nothing' }>,
): Readonly<Record<string, unknown>> {
  return style.as === 'width_height' || style.auto === null ? {} : { [style.field]: style.auto };
}

function sizeMade(size: Size, { offers, pixelsMin = 0, step = 1, ...limits }: SizeLimits): Size {
  if (offers) return nearestOffer(size, offers);
  const { pixelsMax = Number.POSITIVE_INFINITY, sideMax = Number.POSITIVE_INFINITY } = limits;
  const large = atLeast(size, pixelsMin, step);
  return isBelow(large, { pixelsMax, sideMax })
    ? large
    : atMost(size, { pixelsMax, sideMax }, step);
}

/** The nearest in proportions, of those the nearest in area. */
function nearestOffer(size: Size, offers: Offers): Size {
  const [first, ...others] = offers;
  const nearest = (best: Size, next: Size): Size => {
    const byShape = shapeDistance(next, size) - shapeDistance(best, size);
    if (Math.abs(byShape) > 1e-9) return byShape < 0 ? next : best;
    return areaDistance(next, size) < areaDistance(best, size) ? next : best;
  };
  return others.map(parseSize).reduce(nearest, parseSize(first));
}

function shapeDistance(a: Size, b: Size): number {
  return Math.abs(Math.log(a.width / a.height / (b.width / b.height)));
}

function areaDistance(a: Size, b: Size): number {
  return Math.abs(Math.log((a.width * a.height) / (b.width * b.height)));
}

function aspectFields(
  size: Size,
  { field, offers, tier }: Extract<SizeStyle, { as: 'aspect_ratio' }>,
): SizeFields {
  const aspect = nearestAspect(size, offers);
  return {
    fields: { [field]: aspect, ...(tier && { [tier.field]: nearestTier(size, tier) }) },
    isApproximate: Math.abs(ratioOf(aspect) - size.width / size.height) > 1e-9,
  };
}

function nearestTier({ width, height }: Size, { pixels }: Tier): string {
  const distance = ([, meant]: readonly [string, number]) =>
    Math.abs(Math.log(meant / (width * height)));
  const [word] = pixels.reduce((best, tier) => (distance(tier) < distance(best) ? tier : best));
  return word;
}
