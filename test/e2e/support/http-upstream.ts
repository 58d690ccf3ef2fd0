/** A service that speaks the images API, and answers only as a test says. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { addUpstream } from '../../../server/flows/upstreams/add-upstream.ts';
import { syncUpstreamModels } from '../../../server/flows/upstreams/sync-upstream-models.ts';
import type { TestApp } from '../../support/app.ts';
import { testAccess } from '../../support/console/test-admin.ts';
import { makePicture } from '../../support/pictures.ts';

export interface HttpUpstream {
  /** Up to and with `/v1`. */
  baseUrl: string;
  /** Method and path of every request, in order. */
  readonly requests: readonly string[];
  /** What it lists from now on. */
  lists(...models: string[]): void;
  /** From now on pictures wait until they are let go; also those that are being waited for. */
  holdPictures(): void;
  letGo(): void;
  stop(): Promise<void>;
}

/** The only key that it does not accept. */
export const refusedKey = 'sk-that-nobody-accepts';

export async function startHttpUpstream(...models: string[]): Promise<HttpUpstream> {
  let listed = models;
  let gate = Promise.withResolvers<void>();
  gate.resolve();
  const requests: string[] = [];
  const png = (await makePicture('png', { width: 64, height: 64 })).toString('base64');
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (request.headers.authorization === `Bearer ${refusedKey}`) {
      response.statusCode = 401;
      send(response, { error: { message: 'This key is not valid.', code: 'invalid_api_key' } });
      return;
    }
    void readAll(request).then(
      async () => {
        if (request.method === 'GET') return send(response, { data: listed.map((id) => ({ id })) });
        await gate.promise;
        return send(response, { created: 1, data: [{ b64_json: png }] });
      },
      // The caller went away.
      () => {},
    );
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  // It listens on a port, so this is no path.
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    lists: (...names) => {
      listed = names;
    },
    holdPictures: () => {
      gate = Promise.withResolvers<void>();
    },
    letGo: () => gate.resolve(),
    stop: async () => {
      gate.resolve();
      server.closeAllConnections();
      await new Promise((stopped) => server.close(stopped));
    },
  };
}

/** As an administrator would add it; returns its ID. */
export async function connect(
  { admin }: TestApp,
  { baseUrl }: HttpUpstream,
  { name, credential = 'sk-of-a-test' }: { name: string; credential?: string },
): Promise<string> {
  const access = testAccess();
  const { id } = await addUpstream(admin, access, {
    name,
    kind: 'openai-images',
    baseUrl,
    credential,
    settings: { dialect: 'generic' },
    priority: 5,
    weight: 1,
  });
  await syncUpstreamModels(admin, access, id);
  return id;
}

async function readAll(request: IncomingMessage): Promise<void> {
  for await (const _ of request);
}

function send(response: ServerResponse, body: object): void {
  if (response.destroyed) return;
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(body));
}
