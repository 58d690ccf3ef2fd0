import { extendedQualities, imageFormats, imageQualities } from '../../../shared/image-options.ts';
import { imageLimits } from '../../../shared/limits.ts';
import type { Capabilities, ListedModel } from '../upstream.ts';

/** One of the sandbox's models: what it calls itself and how it draws. */
export interface SandboxModel extends ListedModel {
  capabilities: Capabilities;
  /** Toned like an old print on metal, whatever colours the prompt names. */
  isToned: boolean;
  /** Without film grain a picture is smaller and sooner done. */
  hasGrain: boolean;
}

const everything: Capabilities = {
  generation: true,
  edit: true,
  referenceImagesMax: imageLimits.referenceImagesMax,
  mask: true,
  partialImages: true,
  sizes: 'exact',
  formats: imageFormats,
  qualities: imageQualities,
  transparentBackground: true,
};

const studio: SandboxModel = {
  upstreamModel: 'sandbox-studio',
  description: 'Draws labelled test pictures, not AI. Every option and quality.',
  capabilities: everything,
  isToned: false,
  hasGrain: true,
};

export const sandboxModels: readonly SandboxModel[] = [
  studio,
  {
    upstreamModel: 'sandbox-quick',
    description: 'Draws labelled test pictures, not AI. Flat colours and small files.',
    capabilities: everything,
    isToned: false,
    hasGrain: false,
  },
  {
    upstreamModel: 'sandbox-classic',
    description: 'Draws labelled test pictures, not AI. Sepia; low, medium and high quality only.',
    capabilities: {
      ...everything,
      qualities: imageQualities.filter((quality) => !extendedQualities.includes(quality)),
    },
    isToned: true,
    hasGrain: true,
  },
];

/** A name the sandbox does not list draws like its studio model, so that it can stand in for any. */
export function modelNamed(upstreamModel: string): SandboxModel {
  return sandboxModels.find((model) => model.upstreamModel === upstreamModel) ?? studio;
}
