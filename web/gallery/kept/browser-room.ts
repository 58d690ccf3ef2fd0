/** How much room the browser gives this site, and whether it may clear it up by itself. */
import { galleryLimits } from '../gallery.ts';

export interface BrowserRoom {
  /** Null where the browser does not say. */
  totalBytes: number | null;
  /** Protected from being cleared when the disk is full; null where the browser does not say. */
  isProtected: boolean | null;
}

export async function readBrowserRoom(): Promise<BrowserRoom> {
  // Missing where the console is reached by plain http.
  const { storage } = navigator as { storage?: StorageManager };
  if (!storage) return { totalBytes: null, isProtected: null };
  const [estimate, isProtected] = await Promise.all([
    storage.estimate().catch(() => ({ quota: undefined })),
    storage.persisted?.().catch(() => false) ?? null,
  ]);
  return { totalBytes: estimate['quota'] ?? null, isProtected };
}

/** The browser may ask the user, or decide by itself. */
export async function askForProtection(): Promise<boolean> {
  const { storage } = navigator as { storage?: StorageManager };
  return (await storage?.persist?.().catch(() => false)) ?? false;
}

/** The cap as long as nobody chose one. */
export function suggestedCap({ totalBytes }: BrowserRoom): number {
  const { capBytesMax, capShareMax } = galleryLimits;
  if (totalBytes === null) return capBytesMax;
  return Math.min(capBytesMax, Math.floor(totalBytes * capShareMax));
}
