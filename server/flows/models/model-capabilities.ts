import {
  type ImageFormat,
  type ImageQuality,
  type ImageSize,
  imageFormats,
  imageQualities,
  imageSizes,
  type Operation,
  operations,
} from '../../../shared/image-options.ts';
import { imageLimits } from '../../../shared/limits.ts';
import type { Catalog, Route } from '../../catalog/catalog.ts';
import type { Model } from '../../catalog/model.ts';
import { qualityAllowed } from '../../images/image-request.ts';
import type { AdapterPool } from '../../upstreams/adapter-pool.ts';
import type { Capabilities } from '../../upstreams/upstream.ts';

/** What callers may ask of a model: what at least one of its upstreams can do. */
export interface ModelCapabilities {
  operations: readonly Operation[];
  /** Of the others the upstream decides. */
  sizes: readonly ImageSize[];
  qualities: readonly ImageQuality[];
  outputFormats: readonly ImageFormat[];
  /** Per edit; 0 where it makes none. */
  referenceImagesMax: number;
  mask: boolean;
  partialImages: boolean;
  transparentBackground: boolean;
}

export interface UsableModel {
  model: Model;
  capabilities: ModelCapabilities;
}

/** The models that can serve now, by position: see `Catalog`. One whose upstreams are all broken cannot. */
export function usableModels(catalog: Catalog, adapters: AdapterPool): readonly UsableModel[] {
  return catalog.models
    .filter(({ id }) => catalog.isAvailable(id))
    .flatMap((model) => {
      const served = capabilitiesOf(catalog.routesOf(model.id), adapters);
      return served.length === 0 ? [] : [{ model, capabilities: modelCapabilities(model, served) }];
    });
}

function capabilitiesOf(routes: readonly Route[], adapters: AdapterPool): readonly Capabilities[] {
  return routes.flatMap(({ upstream, upstreamModel }) => {
    const pooled = adapters.get(upstream);
    return pooled.kind === 'ready' ? [pooled.adapter.capabilities(upstreamModel)] : [];
  });
}

/** @param served what each of its upstreams can do */
export function modelCapabilities(
  { extendedQualities }: Pick<Model, 'extendedQualities'>,
  served: readonly Capabilities[],
): ModelCapabilities {
  const isOffered = (can: (capabilities: Capabilities) => boolean) => served.some(can);
  const references = served.map(({ edit, referenceImagesMax }) => (edit ? referenceImagesMax : 0));
  return {
    operations: operations.filter((operation) => isOffered((one) => one[operation])),
    sizes: isOffered(({ sizes }) => sizes !== 'own') ? imageSizes : ['auto'],
    qualities: imageQualities.filter(
      (quality) =>
        quality === 'auto' ||
        (qualityAllowed(quality, extendedQualities) &&
          isOffered(({ qualities }) => qualities.includes(quality))),
    ),
    // What an upstream does not deliver is converted here.
    outputFormats: imageFormats,
    referenceImagesMax: Math.min(Math.max(0, ...references), imageLimits.referenceImagesMax),
    mask: isOffered(({ edit, mask }) => edit && mask),
    partialImages: isOffered(({ partialImages }) => partialImages),
    transparentBackground: isOffered(({ transparentBackground }) => transparentBackground),
  };
}
