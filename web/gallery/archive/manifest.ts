/** What an export says of its files: the runs, and which file of the ZIP each of their pictures is. */

import type { MaskDocument, MaskShape } from '../../mask/mask-document.ts';
import type { GalleryRun } from '../kept/gallery-store.ts';

export interface Manifest {
  format: typeof manifestFormat;
  version: typeof manifestVersion;
  /** ISO 8601 in UTC. */
  exportedAt: string;
  runs: readonly ManifestRun[];
}

export const manifestName = 'manifest.json';
export const manifestFormat = 'tintype-gallery';
export const manifestVersion = 1;

export interface ManifestRun extends Omit<GalleryRun, 'image' | 'references' | 'hasMask'> {
  image: ManifestFile & { bytes: number; width: number; height: number };
  thumb: Omit<ManifestFile, 'sha256'>;
  references: readonly ManifestReference[];
  mask: ManifestMask | null;
}

export interface ManifestReference extends ManifestFile {
  name: string;
}

export interface ManifestFile {
  /** Within the ZIP. */
  file: string;
  /** Media type. */
  type: string;
  sha256: string;
}

export interface ManifestMask extends Omit<MaskDocument, 'png' | 'shapes'> {
  file: string;
  shapes: readonly ManifestShape[];
}

export type ManifestShape =
  | Exclude<MaskShape, { kind: 'bitmap' }>
  | { kind: 'bitmap'; file: string };
