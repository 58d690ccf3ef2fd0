import { beginningOf } from '../../../shared/beginning.ts';
import { abortOf } from '../../lib/abort.ts';
import {
  type Adapter,
  type ListedModel,
  type UpstreamContext,
  UpstreamError,
} from '../../upstreams/upstream.ts';
import type { Admin } from '../admin-change.ts';
import { type AskedUpstream, askUpstream, type UpstreamAccess } from './ask-upstream.ts';

const listedModelsMax = 5_000;
const modelNameCharactersMax = 200;
const descriptionCharactersMax = 500;

/**
 * Asks an upstream for its model list and answers with the entries that can be used; stores nothing. It is the
 * health check too: whatever goes wrong, an empty list included, is thrown as an `UpstreamError`.
 */
export async function fetchModelList(
  { clock, signal }: Pick<Admin, 'clock'> & { signal?: AbortSignal },
  access: UpstreamAccess,
  asked: AskedUpstream,
): Promise<readonly ListedModel[]> {
  const list = await askUpstream(
    access,
    { ...asked, clock, ...(signal && { signal }) },
    listModels,
  );
  // Taken at its word, it would make every model that it serves unusable.
  if (list.length === 0) throw new UpstreamError('protocol', 'the model list is empty');
  if (list.length > listedModelsMax) {
    throw new UpstreamError('protocol', `the model list has over ${listedModelsMax} entries`);
  }
  const usable = usableEntries(list);
  if (usable.length > 0) return usable;
  throw new UpstreamError('protocol', 'the model list has no entry that can be used');
}

async function listModels(
  adapter: Adapter,
  context: UpstreamContext,
): Promise<readonly ListedModel[]> {
  try {
    // An adapter that does not stop when it is told to must not hold up whoever asked.
    return await Promise.race([adapter.listModels(context), abortOf(context.signal)]);
  } catch (error) {
    // However the adapter puts it, the reason says why it was stopped.
    context.signal.throwIfAborted();
    throw error;
  }
}

/** Without what could not be shown or selected, nor be kept as it is. */
function usableEntries(list: readonly ListedModel[]): readonly ListedModel[] {
  const entries = new Map<string, ListedModel>();
  for (const { upstreamModel, description } of list) {
    if (upstreamModel === '' || upstreamModel.length > modelNameCharactersMax) continue;
    if (/\p{Cc}/u.test(upstreamModel) || !upstreamModel.isWellFormed()) continue;
    entries.set(upstreamModel, { upstreamModel, description: shortened(description) });
  }
  return [...entries.values()];
}

function shortened(description: string | null): string | null {
  if (description === null) return null;
  return beginningOf(description.replace(/\p{Cc}+/gu, ' '), descriptionCharactersMax);
}
