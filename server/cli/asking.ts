import type { Upstream } from '../catalog/upstream.ts';
import { adapterKinds } from '../upstreams/registry.ts';
import { UpstreamError } from '../upstreams/upstream.ts';
import { CommandFailed } from './failure.ts';

type Asked = Pick<Upstream, 'name' | 'kind' | 'baseUrl'>;

/**
 * Waits for what an upstream is asked. When the upstream fails, the command fails with a message that says which
 * upstream it was, at which address.
 *
 * @param advice lines that follow the message
 */
export async function asking<T>(
  upstream: Asked,
  work: Promise<T>,
  advice: readonly string[] = [],
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    const message = [describeUpstreamFailure(upstream, error), ...advice].join('\n');
    throw new CommandFailed(message, { cause: error });
  }
}

/** A base URL never holds a credential. */
export function describeUpstreamFailure(upstream: Asked, error: UpstreamError): string {
  const { name, baseUrl } = upstream;
  const at = baseUrl === null ? '' : `; it was asked at ${baseUrl}`;
  return `${name} failed (${error.fault}): ${error.message}${at}${hintOf(upstream, error)}`;
}

/** The commonest mistake in a base URL is to leave out the version of the API. */
function hintOf({ name, kind, baseUrl }: Asked, { status }: UpstreamError): string {
  if (status !== 404 || baseUrl === null || hasVersion(baseUrl)) return '';
  const presets = adapterKinds.get(kind)?.presets ?? [];
  if (!presets.some((preset) => preset.baseUrl !== null && hasVersion(preset.baseUrl))) return '';
  return `. Does its base URL lack /v1? Then: tintype upstreams edit ${name} --base-url ${baseUrl}/v1`;
}

function hasVersion(baseUrl: string): boolean {
  return /\/v\d/.test(URL.parse(baseUrl)?.pathname ?? '');
}
