import { adapterKinds } from '../../server/upstreams/registry.ts';
import { serve, type TestService } from '../support/services/outgoing.ts';

/**
 * Answers what an upstream is asked at no cost, whatever its kind: one document that each of them
 * reads as its model list, with the models of all presets.
 */
export function serveModelLists(): Promise<TestService> {
  return serve((request, response) => {
    const path = new URL(request.url, 'http://any').pathname;
    const said = path === '/sdapi/v1/sd-models' ? engineModels() : everyList(path);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(said));
  });
}

function presetModels(): string[] {
  return [...adapterKinds.values()].flatMap(({ presets }) =>
    presets.flatMap(({ upstreamModels }) => upstreamModels),
  );
}

function engineModels() {
  return presetModels().map((name) => ({ model_name: name, title: name }));
}

function everyList(path: string) {
  return {
    // ComfyUI: it has the node that was asked after, and is there.
    [path.slice(path.lastIndexOf('/') + 1)]: { input: {} },
    system: {},
    data: presetModels().map((id) => ({ id })),
    models: presetModels().map((name) => ({ owner: 'anybody', name })),
    modelSummaries: presetModels().map((modelId) => ({ modelId })),
    // Google's, for a service account.
    access_token: 'any',
    expires_in: 3600,
  };
}
