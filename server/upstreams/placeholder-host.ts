/** Some services have a host for each customer; their presets show where its name goes. */
import type { UpstreamPreset } from './adapter-kind.ts';

/** Whether a preset is of no use until its base URL is replaced: `https://your-resource.…`. */
export function hasPlaceholderHost({ baseUrl }: Pick<UpstreamPreset, 'baseUrl'>): boolean {
  return hostOf(baseUrl)?.includes('your-') ?? false;
}

export function isSameHost(a: string | null, b: string | null): boolean {
  const host = hostOf(a);
  return host !== null && host === hostOf(b);
}

/** In lower case, as URLs are read. */
function hostOf(baseUrl: string | null): string | null {
  return baseUrl === null ? null : (URL.parse(baseUrl)?.hostname ?? null);
}
