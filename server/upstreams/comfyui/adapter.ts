/**
 * ComfyUI: runs the workflows that the operator pastes, each an upstream model of its own.
 *
 * A workflow has places for the prompt, the pictures and the numbers of a job (`workflow.ts`). It is
 * queued over HTTP and followed over a WebSocket, which brings previews, the picture and the end.
 * Pictures travel as files of the server: they are uploaded under names nobody can guess, and when
 * the attempt is over, its prompt is taken out of the history and its files are overwritten.
 */
import type { GuardedHttp } from '../../lib/outgoing/guarded-http.ts';
import { invalidRequest } from '../../lib/service-error.ts';
import { defineKind, type OpenUpstreamHttp, type UpstreamConfig } from '../adapter-kind.ts';
import {
  type Adapter,
  type ImageJob,
  type UpstreamContext,
  UpstreamError,
  type UpstreamEvent,
} from '../upstream.ts';
import { refuseUnsupported } from '../wire/capable.ts';
import { endInFault, endInFaults } from '../wire/endings.ts';
import { originOf } from '../wire/endpoint.ts';
import { capabilitiesOf, noCapabilities } from './capabilities.ts';
import { ComfyuiServer } from './comfyui-server.ts';
import { Errands } from './errands.ts';
import { listWorkflows } from './list-workflows.ts';
import { comfyuiPresets } from './presets.ts';
import { runWorkflow } from './run-workflow.ts';
import { type ComfyuiSettings, comfyuiSettings } from './settings.ts';
import { checkWorkflow, type Workflow } from './workflow.ts';

export const comfyuiKind = defineKind({
  kind: 'comfyui',
  title: 'ComfyUI',
  description: 'Your own workflows on a ComfyUI server, with previews as partial images.',
  baseUrl: 'needed',
  credential: 'optional',
  credentialForm: 'user:password, or a bearer key',
  settings: comfyuiSettings,
  presets: comfyuiPresets,
  create,
});

interface Upstream {
  http: GuardedHttp;
  baseUrl: string;
  settings: ComfyuiSettings;
  workflows: ReadonlyMap<string, Workflow>;
  errands: Errands;
}

function create(
  { baseUrl, settings }: UpstreamConfig<ComfyuiSettings>,
  openHttp: OpenUpstreamHttp,
): Adapter {
  if (baseUrl === null || !URL.canParse(baseUrl)) {
    throw invalidRequest('base_url', 'ComfyUI needs a base URL, such as http://127.0.0.1:8188.');
  }
  const checked = Object.entries(settings.workflows).map(
    ([name, given]) => [name, checkWorkflow(name, given)] as const,
  );
  const workflows = new Map(checked);
  const http = openHttp({ origins: [originOf(baseUrl)] });
  const upstream = { http, baseUrl, settings, workflows, errands: new Errands() };
  return {
    capabilities: (upstreamModel) => {
      const workflow = workflows.get(upstreamModel);
      return workflow ? capabilitiesOf(workflow, settings) : noCapabilities;
    },
    run: (job, context) => endInFaults(run(job, context, upstream), context.signal),
    listModels: ({ signal, credential }) => {
      const server = new ComfyuiServer({ http, baseUrl, credential });
      const list = () => listWorkflows(server, [...workflows.values()], signal);
      return endInFault(list, signal);
    },
    close: async () => {
      await upstream.errands.settle();
      await http.close();
    },
  };
}

async function* run(
  job: ImageJob,
  context: UpstreamContext,
  { http, baseUrl, settings, workflows, errands }: Upstream,
): AsyncGenerator<UpstreamEvent, void, void> {
  const workflow = workflows.get(job.upstreamModel);
  if (!workflow) throw new UpstreamError('unsupported', 'there is no workflow of that name');
  refuseUnsupported(job, capabilitiesOf(workflow, settings));
  const server = new ComfyuiServer({ http, baseUrl, credential: context.credential });
  yield* runWorkflow(job, context, { server, workflow, settings, errands });
}
