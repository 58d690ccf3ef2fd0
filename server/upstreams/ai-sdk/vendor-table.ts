import type { VendorName } from './settings.ts';
import type { Vendor } from './vendor.ts';
import { amazonBedrock } from './vendors/amazon-bedrock.ts';
import { blackForestLabs } from './vendors/black-forest-labs.ts';
import { fal } from './vendors/fal.ts';
import { fireworks } from './vendors/fireworks.ts';
import { google } from './vendors/google.ts';
import { googleVertex } from './vendors/google-vertex.ts';
import { luma } from './vendors/luma.ts';
import { replicate } from './vendors/replicate.ts';

/** A new service adds an entry, its name in `settings.ts` and a preset. */
export const vendors: Readonly<Record<VendorName, Vendor>> = {
  google,
  'google-vertex': googleVertex,
  'amazon-bedrock': amazonBedrock,
  fal,
  replicate,
  'black-forest-labs': blackForestLabs,
  luma,
  fireworks,
};
