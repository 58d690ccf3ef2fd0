import { z } from 'zod';
import { type AdapterKind, defineKind } from '../../../server/upstreams/adapter-kind.ts';
import {
  type ImageJob,
  UpstreamError,
  type UpstreamEvent,
} from '../../../server/upstreams/upstream.ts';
import { pngOfLength } from '../pictures.ts';

export function made(changes: Partial<UpstreamEvent & { kind: 'final' }> = {}): UpstreamEvent {
  return {
    kind: 'final',
    image: { encoding: 'raw', bytes: pngOfLength(200) },
    revisedPrompt: null,
    actual: { quality: null, background: null },
    tokens: null,
    upstreamRequestId: 'theirs-1',
    warnings: [],
    ...changes,
  };
}

type Adapter = ReturnType<AdapterKind['create']>;

/** An upstream that lists and makes what the test says. */
export class PaintService {
  models = ['paint-1', 'paint-2'];
  trouble: UpstreamError | null = null;
  /** The credential that it does not accept. */
  refused: string | null = null;
  can: { generation?: boolean; edit?: boolean } = {};
  readonly jobs: ImageJob[] = [];
  play: Adapter['run'] = async function* ({ operation }) {
    yield made({ upstreamRequestId: operation === 'edit' ? 'theirs-2' : 'theirs-1' });
  };

  readonly kind: AdapterKind = defineKind({
    kind: 'scripted',
    title: 'Scripted',
    description: 'Does what the test says',
    baseUrl: 'unused',
    credential: 'optional',
    credentialForm: 'anything',
    settings: z.strictObject({}),
    presets: [],
    create: () => ({
      capabilities: () => ({
        generation: true,
        edit: true,
        referenceImagesMax: 1,
        mask: false,
        partialImages: false,
        sizes: 'exact',
        formats: ['png'],
        qualities: ['low', 'high'],
        transparentBackground: false,
        ...this.can,
      }),
      run: (job, context) => {
        this.jobs.push(job);
        return this.play(job, context);
      },
      listModels: async ({ credential }) => {
        if (credential !== null && credential === this.refused) {
          throw new UpstreamError('auth', 'refused', { status: 401 });
        }
        if (this.trouble) throw this.trouble;
        return this.models.map((upstreamModel) => ({ upstreamModel, description: null }));
      },
      close: async () => {},
    }),
  });
}
