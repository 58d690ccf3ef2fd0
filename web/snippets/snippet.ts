import type { OrderFile } from '../jobs/image-order.ts';

/** What every language writes in its own way. */
export interface Snippet {
  baseUrl: string;
  url: string;
  isEdit: boolean;
  isStream: boolean;
  fields: Readonly<Record<string, FieldValue>>;
  images: readonly OrderFile[];
  mask: OrderFile | null;
  /** The file that the picture is written to. */
  output: string;
}

export type FieldValue = string | number | boolean;
