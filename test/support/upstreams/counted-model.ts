import type { Database } from '../../../server/db/db.ts';
import { testAdmin } from '../console/test-admin.ts';
import { type CountingService, countedModel, startCountingService } from './counting-service.ts';
import { serveModel } from './served-model.ts';

export interface CountedModel {
  model: string;
  upstream: CountingService;
  upstreamName: string;
}

/** A model served by nothing but a service that counts, and takes so many calls at once; null: any number. */
export async function serveCountedModel(
  database: Database,
  concurrencyMax: number | null,
): Promise<CountedModel> {
  const upstream = await startCountingService();
  const { id: model, nameOf } = await serveModel(
    { admin: testAdmin(database) },
    {
      counted: {
        kind: 'openai-images',
        baseUrl: upstream.baseUrl,
        upstreamModel: countedModel,
        limits: { concurrencyMax, queueMax: 100 },
      },
    },
  );
  return { model, upstream, upstreamName: nameOf('counted') };
}
