/** The order in which upstreams are tried. What they must be able to do is shown in test/api/routing. */
import { describe, expect, it } from 'vitest';
import { plainGeneration } from '../../../../test/support/callers/image-requests.ts';
import { pngOfLength } from '../../../../test/support/pictures.ts';
import { ScriptedUpstream } from '../../../../test/support/upstreams/scripted-upstream.ts';
import type { Route } from '../../../catalog/catalog.ts';
import type { ImageRequest } from '../../../images/image-request.ts';
import { must } from '../../../lib/assert.ts';
import type { Capabilities } from '../../../upstreams/upstream.ts';
import { chooseRoutes, type RouteChoice } from './choose-routes.ts';

const { adapters, route } = new ScriptedUpstream();

describe('the order of upstreams', () => {
  it('is that of their priorities, the lower first', () => {
    expect(order([upstream('c', 9), upstream('a', 0), upstream('b', 5)], [0, 0, 0])).toEqual([
      'a',
      'b',
      'c',
    ]);
  });

  it.each([
    [0, 'a'],
    [0.0999, 'a'],
    [0.1, 'b'],
    [0.3999, 'b'],
    [0.4, 'c'],
    [0.9999, 'c'],
  ])('is drawn by weight within a priority: %d of 1:3:6 gives %s', (random, first) => {
    const peers = [upstream('a', 0, 1), upstream('b', 0, 3), upstream('c', 0, 6)];
    expect(order(peers, [random, 0, 0])[0]).toBe(first);
  });

  it('is drawn again among those that are left', () => {
    const peers = [upstream('a', 0, 1), upstream('b', 0, 1), upstream('c', 0, 1)];
    expect(order(peers, [0.5, 0.5, 0])).toEqual(['b', 'c', 'a']);
    expect(order(peers, [0.99, 0.49, 0])).toEqual(['c', 'a', 'b']);
  });

  it('puts no heavy upstream before a lighter one of a better priority', () => {
    expect(order([upstream('heavy', 1, 1000), upstream('light', 0, 1)], [0.99, 0.99])).toEqual([
      'light',
      'heavy',
    ]);
  });

  it('is complete: every upstream comes once', () => {
    const many = Array.from({ length: 20 }, (_, i) => upstream(`${i}`, i % 3, (i % 5) + 1));
    const names = order(
      many,
      Array.from({ length: 20 }, (_, i) => ((i * 7) % 10) / 10),
    );
    expect([...names].sort()).toEqual(many.map((one) => one.upstream.name).sort());
  });
});

describe('an upstream model', () => {
  it.each([
    ['too few references', { referenceImagesMin: 2 }, 1, false],
    ['too many references for a mask', { maskedReferenceImagesMax: 1 }, 2, true],
  ])('is refused a request with %s', (_what, capabilities, count, hasMask) => {
    const asked = editOf(count, hasMask);
    expect(() => chosenFor(asked, capabilities)).toThrow(
      expect.objectContaining({ code: 'invalid_request_error', param: 'image' }),
    );
  });

  it.each([
    ['too few references', { referenceImagesMin: 2 }, editOf(1, false), 'images'],
    ['too many references', { referenceImagesMax: 1 }, editOf(2, false), 'images'],
    ['too many references for a mask', { maskedReferenceImagesMax: 1 }, editOf(2, true), 'images'],
    ['a mask that it cannot use', { mask: false }, editOf(1, true), 'mask.image_url'],
  ])('refuses %s by the name that the caller has for them', (_what, capabilities, edit, param) => {
    const pictureParams = { images: 'images', mask: 'mask.image_url' };
    const asked = () => chosenFor({ ...edit, pictureParams }, capabilities);
    expect(asked).toThrow(expect.objectContaining({ param }));
  });

  it.each([
    ['as few references as it needs', { referenceImagesMin: 2 }, 2, false],
    ['as many as it takes with a mask', { maskedReferenceImagesMax: 1 }, 1, true],
    ['more than that without a mask', { maskedReferenceImagesMax: 1 }, 2, false],
  ])('is given a request with %s', (_what, capabilities, count, hasMask) => {
    expect(chosenFor(editOf(count, hasMask), capabilities)).toHaveLength(1);
  });
});

describe('a request that no upstream of its model can do', () => {
  const few = { referenceImagesMax: 1 };
  const maskless = { mask: false };
  const opaque = { transparentBackground: false };
  const transparent = { background: 'transparent' } as const;

  it.each<[string, ImageRequest, Partial<Capabilities>[], Told]>([
    [
      'the most references that one of them takes',
      editOf(9, false),
      [few, { referenceImagesMax: 8 }, few],
      { message: 'This model takes at most 8 reference images.', param: 'image' },
    ],
    [
      'the one that each of them takes',
      editOf(2, false),
      [few],
      { message: 'This model takes one reference image at most.', param: 'image' },
    ],
    [
      'the one that each of them takes with a mask',
      editOf(2, true),
      [{ maskedReferenceImagesMax: 1 }],
      {
        message: 'Together with a mask, this model takes one reference image at most.',
        param: 'image',
      },
    ],
    [
      'the most that one of them takes with a mask',
      editOf(5, true),
      [{ ...maskless, referenceImagesMax: 9 }, few, { maskedReferenceImagesMax: 4 }],
      {
        message: 'Together with a mask, this model takes at most 4 reference images.',
        param: 'image',
      },
    ],
    [
      'the fewest references that one of them needs',
      editOf(1, false),
      [{ referenceImagesMin: 3 }, { referenceImagesMin: 2 }],
      { message: 'This model needs at least 2 reference images.', param: 'image' },
    ],
    [
      'what none of them has, not what only some lack',
      { ...editOf(2, false), ...transparent },
      [
        { ...few, ...opaque },
        { ...maskless, ...opaque },
      ],
      { message: 'This model cannot make a transparent background.', param: 'background' },
    ],
    [
      'what those that edit have, not the others',
      { ...editOf(1, false), ...transparent },
      [{ edit: false }, opaque],
      { message: 'This model cannot make a transparent background.', param: 'background' },
    ],
    [
      'what none of them has together',
      { ...editOf(2, true), ...transparent },
      [opaque, maskless],
      {
        message: 'This model has each of these, but not together: background, mask. Leave one out.',
        param: null,
      },
    ],
    [
      'a quality that only another has',
      { ...plainGeneration, ...transparent, quality: 'max' },
      [{ ...opaque, qualities: ['auto', 'max'] }, {}],
      {
        message:
          'This model has each of these, but not together: background, quality. Leave one out.',
        param: null,
      },
    ],
  ])('is told %s', (_what, request, served, told) => {
    expect(() => chosenAmong(served, request)).toThrow(
      expect.objectContaining({ code: 'invalid_request_error', ...told }),
    );
  });
});

interface Told {
  message: string;
  param: string | null;
}

/** Among upstreams that differ in what they can do. */
function chosenAmong(served: readonly Partial<Capabilities>[], request: ImageRequest) {
  const upstreams = served.map((each, index) => ({
    ...new ScriptedUpstream(each),
    id: `up_${index}`,
  }));
  const poolOf = new Map(upstreams.map(({ id, adapters: pool }) => [id, pool]));
  const routes = upstreams.map(({ id, route: one }) => ({
    ...one,
    upstream: { ...one.upstream, id },
  }));
  const get: RouteChoice['adapters']['get'] = (one) =>
    must(poolOf.get(one.id), 'its pool').get(one);
  return chooseRoutes(routes, { request, adapters: { get }, random: () => 0 });
}

function chosenFor(asked: ImageRequest, capabilities: Partial<Capabilities>) {
  const able = new ScriptedUpstream(capabilities);
  return chooseRoutes([able.route], { request: asked, adapters: able.adapters, random: () => 0 });
}

function editOf(count: number, hasMask: boolean): ImageRequest {
  const bytes = pngOfLength(200);
  const image = { bytes, format: 'png', width: 8, height: 8, hasAlpha: true } as const;
  const referenceImages = Array.from({ length: count }, () => image);
  return { ...plainGeneration, operation: 'edit', referenceImages, mask: hasMask ? image : null };
}

function order(routes: readonly Route[], draws: readonly number[]): string[] {
  const left = [...draws];
  const chosen = chooseRoutes(routes, {
    request: plainGeneration,
    adapters,
    random: () => left.shift() ?? 0,
  });
  return chosen.map(({ upstream: { name } }) => name);
}

function upstream(name: string, priority: number, weight = 1): Route {
  return { ...route, upstream: { ...route.upstream, id: `up_${name}`, name, priority, weight } };
}
