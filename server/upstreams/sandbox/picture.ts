import { webcrypto } from 'node:crypto';
import type { InputFidelity } from '../../../shared/image-options.ts';
import { assert } from '../../lib/assert.ts';
import { type OverlayOptions, type Sharp, sharp } from '../../lib/pictures/sharp.ts';
import type { InputImage } from '../upstream.ts';
import { listedSizes } from '../wire/geometry.ts';
import { type Area, boundsOfZeros, type Channel, roomInZeros } from './area.ts';
import { type DrawnQuality, details } from './detail.ts';
import { type Raster, sharpOf } from './encode.ts';
import { grainTile } from './grain.ts';
import { drawLabel, labelRoom } from './label.ts';
import type { SandboxModel } from './models.ts';
import { moodOf } from './mood.ts';
import {
  aspectOf,
  exactReference,
  fittedReference,
  maskChannel,
  tileLayers,
} from './references.ts';
import { drawScene, type Scene } from './scene.ts';
import { seedOf } from './seeded-random.ts';
import { Sheet } from './sheet.ts';
import { drawFrames, layTiles } from './tiles.ts';

/** Everything that decides what a picture looks like: the same order gives the same pixels. */
export interface PictureOrder {
  prompt: string;
  seed: number | null;
  pictureIndex: number;
  model: SandboxModel;
  size: { width: number; height: number } | 'auto';
  quality: DrawnQuality;
  isTransparent: boolean;
  /** Whether a masked edit has to lose the clear parts of its reference. */
  isOpaque: boolean;
  inputFidelity: InputFidelity | null;
  referenceImages: readonly InputImage[];
  mask: InputImage | null;
}

/** A masked edit keeps its reference's own size up to here; a larger one is drawn at a usual size. */
export const ownSizePixelsMax = 4096 * 4096;

/** How strongly the scene covers the first reference of an edit without mask. */
const sceneOpacity: Readonly<Record<InputFidelity, number>> = { low: 0.82, high: 0.5 };

const paper = '#f6f1e7';

export async function drawPicture(order: PictureOrder): Promise<Raster> {
  const size = await sizeOf(order);
  const scene = await sceneOf(order);
  const [first] = order.referenceImages;
  if (first === undefined) return drawGeneration(order, scene, size);
  if (order.mask === null) return drawEdit(order, scene, size, first);
  return drawMaskedEdit(order, scene, size, { first, mask: order.mask });
}

type Size = Pick<Raster, 'width' | 'height'>;

async function drawGeneration(order: PictureOrder, scene: Scene, size: Size): Promise<Raster> {
  const sheet = new Sheet(size.width, size.height);
  drawScene(sheet, scene, size.width, size.height);
  drawLabel(sheet, insetBy(0, size), factsOf(order, size));
  return rasterOf(
    sharp(Buffer.from(sheet.toSvg())),
    grainLayers(order, size),
    order.isTransparent,
    size,
  );
}

/** The first reference with the scene blended over it and the other references as prints on top. */
async function drawEdit(
  order: PictureOrder,
  scene: Scene,
  size: Size,
  first: InputImage,
): Promise<Raster> {
  const base = await fittedReference(first, 1, { size, ground: paper });
  const others = order.referenceImages.slice(1);
  const margin = order.isTransparent ? cardMargin(size) : 0;
  const room = insetBy(margin, size);
  const tiles = layTiles(others.length, room);
  const sheet = new Sheet(size.width, size.height);
  const opacity = sceneOpacity[order.inputFidelity ?? 'low'];
  sheet.group(`opacity="${opacity}"`, () =>
    drawScene(sheet, { ...scene, hasSky: false }, size.width, size.height),
  );
  drawFrames(sheet, tiles);
  drawLabel(sheet, room, factsOf(order, size));
  const layers = [
    { input: Buffer.from(sheet.toSvg()) },
    ...(await tileLayers(others, tiles)),
    ...grainLayers(order, size),
    ...(order.isTransparent ? [cardCutout(size)] : []),
  ];
  return rasterOf(sharpOf(base), layers, order.isTransparent, size);
}

/** The scene only where the mask is clear; every other pixel stays exactly the reference's. */
async function drawMaskedEdit(
  order: PictureOrder,
  scene: Scene,
  size: Size,
  { first, mask }: { first: InputImage; mask: InputImage },
): Promise<Raster> {
  const ground = order.isOpaque ? paper : null;
  const reference = await exactReference(first, { size, ground });
  const kept = await maskChannel(mask, size);
  const bounds = boundsOfZeros(kept);
  const hasAlpha = order.isTransparent || (first.hasAlpha && !order.isOpaque);
  if (bounds === null) return rasterOf(sharpOf(reference), [], hasAlpha, size);
  const facts = factsOf(order, size);
  const wanted = labelRoom(size, facts);
  const labelArea = roomInZeros(kept, bounds, ({ width, height }) =>
    Math.min(1, width / wanted.width, height / wanted.height),
  );
  const tileRoom = roomInZeros(kept, bounds, ({ width, height }) => width * height);
  const others = order.referenceImages.slice(1);
  const tiles = layTiles(others.length, tileRoom);
  const sheet = new Sheet(size.width, size.height);
  sheet.group(`transform="translate(${bounds.left} ${bounds.top})"`, () =>
    drawScene(sheet, scene, bounds.width, bounds.height),
  );
  drawFrames(sheet, tiles);
  drawLabel(sheet, labelArea, facts);
  const layers = [...(await tileLayers(others, tiles)), ...grainLayers(order, size)];
  const drawn = await rasterOf(sharp(Buffer.from(sheet.toSvg())), layers, true, size);
  return rasterOf(sharpOf(await merged(reference, drawn, kept)), [], hasAlpha, size);
}

/**
 * Takes whole pixels from one picture or the other. Bitwise, because blending would round the
 * pixels that have to stay as they are.
 */
async function merged(reference: Raster, drawn: Raster, kept: Channel): Promise<Raster> {
  const { width, height } = kept;
  const raw = { width, height, channels: 1 } as const;
  const changed = await sharp(kept.pixels, { raw }).negate().toColourspace('b-w').raw().toBuffer();
  const [below, above] = await Promise.all([
    sharpOf(reference).boolean(kept.pixels, 'and', { raw }).raw().toBuffer(),
    sharpOf(drawn).boolean(changed, 'and', { raw }).raw().toBuffer(),
  ]);
  const operand = { raw: { width, height, channels: 4 } } as const;
  const pixels = await sharp(below, operand).boolean(above, 'or', operand).raw().toBuffer();
  return { ...reference, pixels };
}

async function rasterOf(
  image: Sharp,
  layers: OverlayOptions[],
  hasAlpha: boolean,
  { width, height }: Size,
): Promise<Raster> {
  const composed = layers.length === 0 ? image : image.composite(layers);
  const finished = hasAlpha ? composed.ensureAlpha() : composed.removeAlpha();
  const raw = finished.toColourspace('srgb').raw();
  const { data, info } = await raw.toBuffer({ resolveWithObject: true });
  const channels = hasAlpha ? 4 : 3;
  assert(info.channels === channels, 'a drawing has the channels it was drawn with');
  return { pixels: data, width, height, channels };
}

function grainLayers({ model, quality }: PictureOrder, size: Size): OverlayOptions[] {
  const strength = details[quality].grain;
  if (!model.hasGrain || strength === 0) return [];
  const { pixels, width, height } = grainTile(strength, size);
  // `atop` leaves clear pixels clear.
  return [{ input: pixels, raw: { width, height, channels: 4 }, tile: true, blend: 'atop' }];
}

/** Cuts the picture to a card with round corners and a clear margin. */
function cardCutout(size: Size): OverlayOptions {
  const margin = cardMargin(size);
  const { left, top, width, height } = insetBy(margin, size);
  const card = `x="${left}" y="${top}" width="${width}" height="${height}" rx="${margin}"`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}"><rect ${card}/></svg>`;
  return { input: Buffer.from(svg), blend: 'dest-in' };
}

function cardMargin({ width, height }: Size): number {
  return Math.min(width, height) * 0.04;
}

async function sceneOf(order: PictureOrder): Promise<Scene> {
  const { prompt, seed, pictureIndex, referenceImages, mask, model, quality } = order;
  const normalized = prompt.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim();
  const digests: string[] = [];
  for (const image of referenceImages) digests.push(await digestOf(image));
  const maskDigest = mask === null ? null : await digestOf(mask);
  const sceneSeed = seedOf({ prompt: normalized, seed, pictureIndex, digests, maskDigest });
  const mood = moodOf(normalized, sceneSeed);
  const toned = { ...mood, hue: 62, accentHue: 66, vividness: 0.42 };
  return {
    seed: sceneSeed,
    mood: model.isToned ? toned : mood,
    detail: details[quality],
    hasSky: !order.isTransparent,
  };
}

/** Off the main thread: references can be hundreds of megabytes together. */
async function digestOf({ bytes }: InputImage): Promise<string> {
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('hex');
}

async function sizeOf({ size, mask, referenceImages }: PictureOrder): Promise<Size> {
  if (size !== 'auto') return size;
  const [first] = referenceImages;
  if (first === undefined) return { width: 1024, height: 1024 };
  const isOwnSize = mask !== null && first.width * first.height <= ownSizePixelsMax;
  if (isOwnSize) return { width: first.width, height: first.height };
  return nearestSize(mask === null ? await aspectOf(first) : first.width / first.height);
}

/** The listed size whose proportions are closest, by ratio, so that wide and tall count alike. */
function nearestSize(aspect: number): Size {
  const distance = ({ width, height }: Size) => Math.abs(Math.log(width / height / aspect));
  return listedSizes.reduce((best, size) => (distance(size) < distance(best) ? size : best));
}

function insetBy(margin: number, { width, height }: Size): Area {
  return { left: margin, top: margin, width: width - 2 * margin, height: height - 2 * margin };
}

function factsOf({ quality }: PictureOrder, { width, height }: Size): string {
  return `${width}×${height} · ${quality.toUpperCase()}`;
}
