import { z } from 'zod';
import { beginningOf } from '../../../shared/beginning.ts';
import { type ListedModel, type UpstreamContext, UpstreamError } from '../upstream.ts';
import { ask, readJson } from '../wire/ask.ts';
import { answerLimits } from '../wire/limits.ts';
import type { Service } from './service.ts';

/** What of a list is kept: more is a mistake of the service. */
export const modelListLimits = {
  modelsMax: 5_000,
  nameCharactersMax: 200,
  descriptionCharactersMax: 200,
} as const;

/**
 * The service's list, and behind it the names that the administrator gave: Azure lists the models
 * that could be deployed, not the deployments that can be called.
 */
export async function listModels(
  service: Service,
  context: UpstreamContext,
): Promise<readonly ListedModel[]> {
  const listed = await askForModels(service, context).catch((error: unknown) => {
    if (isWithoutList(service, error)) return [];
    throw error;
  });
  const names = new Set(listed.map(({ upstreamModel }) => upstreamModel));
  const named = Object.entries(service.settings.modelNames).filter(([name]) => !names.has(name));
  const entries = named.map(([upstreamModel, model]) => ({ upstreamModel, description: model }));
  return [...listed, ...entries];
}

/** Whether the service has no list at all, and the administrator has said what its models are. */
function isWithoutList({ dialect, settings }: Service, error: unknown): boolean {
  const { modelList } = dialect;
  if (modelList.from !== 'list' || !modelList.mayBeMissing) return false;
  if (Object.keys(settings.modelNames).length === 0) return false;
  return error instanceof UpstreamError && noListStatuses.includes(error.status ?? 0);
}

/** Not found, method not allowed, not implemented. */
const noListStatuses: readonly number[] = [404, 405, 501];

async function askForModels(
  service: Service,
  { signal, credential }: UpstreamContext,
): Promise<readonly ListedModel[]> {
  const { modelList } = service.dialect;
  const path = modelList.from === 'list' ? modelList.path : modelList.check;
  if (path === null) return knownModels(modelList.from === 'known' ? modelList.models : []);
  const answer = await ask(
    service.http,
    { method: 'GET', url: service.url(path), headers: service.credentialHeaders(credential) },
    { signal, rules: service.dialect.errors },
  );
  try {
    const said = await readJson(answer, answerLimits.listBytesMax);
    if (modelList.from === 'known') return knownModels(modelList.models);
    return readModels(said).filter(
      ({ upstreamModel }) => modelList.names?.test(upstreamModel) ?? true,
    );
  } finally {
    answer.discard();
  }
}

function knownModels(names: readonly string[]): readonly ListedModel[] {
  return names.map((upstreamModel) => ({ upstreamModel, description: null }));
}

/** `{data: […]}`, `{models: […]}` or a bare list. */
export function readModels(said: unknown): readonly ListedModel[] {
  const list = listSchema.safeParse(said);
  if (!list.success) throw new UpstreamError('protocol', 'its model list has an unknown form');
  const { data } = list;
  const entries = Array.isArray(data) ? data : 'data' in data ? data.data : data.models;
  const models = new Map<string, ListedModel>();
  for (const entry of entries) {
    if (entry === null || models.size === modelListLimits.modelsMax) continue;
    if (!models.has(entry.upstreamModel)) models.set(entry.upstreamModel, entry);
  }
  // The names that the administrator gave would pass for all that there is.
  if (models.size === 0 && entries.length > 0) {
    throw new UpstreamError('protocol', 'its model list has no entry that can be used');
  }
  return [...models.values()];
}

const name = z
  .string()
  .regex(/^[^\p{Cc}]+$/u)
  .max(modelListLimits.nameCharactersMax);
const text = z.string().nullish().catch(null);

const entrySchema = z
  .union([
    name.transform((upstreamModel): ListedModel => ({ upstreamModel, description: null })),
    z
      .object({
        id: name.nullish().catch(null),
        name: name.nullish().catch(null),
        model: name.nullish().catch(null),
        display_name: text,
        description: text,
      })
      .transform((entry): ListedModel | null => {
        const upstreamModel = entry.id ?? entry.model ?? entry.name;
        if (!upstreamModel) return null;
        const said = entry.display_name ?? entry.name ?? entry.description;
        return { upstreamModel, description: said === upstreamModel ? null : shortened(said) };
      }),
  ])
  .nullable()
  .catch(null);

const listSchema = z.union([
  z.array(entrySchema),
  z.object({ data: z.array(entrySchema) }),
  z.object({ models: z.array(entrySchema) }),
]);

function shortened(words: string | null | undefined): string | null {
  const line = words?.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
  return line ? beginningOf(line, modelListLimits.descriptionCharactersMax) : null;
}
