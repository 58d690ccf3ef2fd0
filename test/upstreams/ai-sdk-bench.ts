/** An adapter of the kind ai-sdk and the fake of its vendor, for what each vendor has of its own. */
import { assert } from 'vitest';
import type { GuardedHttpOptions } from '../../server/lib/outgoing/guarded-http.ts';
import { aiSdkKind } from '../../server/upstreams/ai-sdk/adapter.ts';
import type {
  Adapter,
  ImageJob,
  UpstreamContext,
  UpstreamEvent,
  UpstreamFinal,
} from '../../server/upstreams/upstream.ts';
import { hurriedClock } from '../support/hurried-clock.ts';
import {
  noSignal,
  openTestHttp,
  type ReceivedRequest,
  serve,
  type TestService,
} from '../support/services/outgoing.ts';
import { geminiSubject } from './ai-sdk-gemini.ts';
import type { FakeAnswer } from './contract-subject.ts';
import { editJob, generationJob } from './jobs.ts';

/** Null leaves the request without an answer. */
export type VendorAnswer = (request: ReceivedRequest, origin: string) => FakeAnswer | null;

export interface SdkBenchOptions {
  settings: Readonly<Record<string, unknown>>;
  upstreamModel: string;
  answer: VendorAnswer;
  basePath?: string;
  credential?: string;
  http?: Partial<GuardedHttpOptions>;
}

export interface SdkBench {
  service: TestService;
  adapter: Adapter;
  /** All events of a job, or its error. */
  run: (job?: Partial<ImageJob>, context?: Partial<UpstreamContext>) => Promise<UpstreamEvent[]>;
  final: (job?: Partial<ImageJob>) => Promise<UpstreamFinal>;
  /** An edit of so many reference images. */
  edit: (references: number, withMask?: boolean) => Promise<ImageJob>;
  /** What a request, the first unless told, said in JSON. */
  sent: (index?: number) => unknown;
  context: (overrides?: Partial<UpstreamContext>) => UpstreamContext;
}

export async function openSdkBench(options: SdkBenchOptions): Promise<SdkBench> {
  const { settings, upstreamModel, answer, basePath = '', credential = 'key-fake' } = options;
  const service = await serve((request, response) => {
    const { status, headers, body } = answer(request, service.origin) ?? unanswered;
    if (status === unanswered.status) return;
    response.writeHead(status, headers).end(Buffer.concat(body));
  });
  const config = { name: 'bench', baseUrl: `${service.origin}${basePath}`, settings };
  const adapter = aiSdkKind.create(config, ({ origins: [origin, ...others] }) => {
    assert(origin !== undefined);
    return openTestHttp(origin, { origins: [origin, ...others], ...options.http });
  });
  const subject = { ...geminiSubject, upstreamModel };
  const context = (overrides: Partial<UpstreamContext> = {}): UpstreamContext => ({
    signal: noSignal,
    clock: hurriedClock(50),
    credential,
    ...overrides,
  });
  const run: SdkBench['run'] = async (job, overrides) => {
    const whole = { ...generationJob(subject), ...job };
    return await Array.fromAsync(adapter.run(whole, context(overrides)));
  };
  return {
    service,
    adapter,
    run,
    context,
    async final(job) {
      const event = (await run(job)).at(-1);
      assert(event?.kind === 'final', 'the last event is the picture');
      return event;
    },
    edit: (references, withMask = false) => editJob(subject, { references, withMask }),
    sent(index = 0) {
      const said: unknown = JSON.parse(service.requests[index]?.body.toString() ?? 'null');
      return said;
    },
  };
}

const unanswered: FakeAnswer = { status: 0, headers: {}, body: [] };
