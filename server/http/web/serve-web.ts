/** The console's files and pages. Every page is the same file; the browser finds out which it is. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pages } from '../../../shared/console/pages.ts';
import type { ConsoleDeps } from '../console/console-deps.ts';
import { isServedSecurely } from '../console/sign-in/cookies.ts';
import type { ConsoleFile, ConsoleFiles } from './console-files.ts';
import { encodingFor } from './content-encoding.ts';
import { fileHeaders, onlySecurely, pageHeaders } from './page-headers.ts';

export interface WebDeps {
  /** Null when the console is not built. */
  web: ConsoleFiles | null;
  console: ConsoleDeps;
}

/** The addresses that are answered with the console, as the router writes them. */
const pageAddresses: readonly string[] = Object.values(pages).map((page) =>
  page.replaceAll('$', ':'),
);

export function serveWeb(app: FastifyInstance, { web, console }: WebDeps): void {
  if (!web) {
    app.get(pages.home, async (_request, reply) => reply.type('text/plain').send(notBuilt));
    return;
  }
  for (const url of [...pageAddresses, ...web.extraPages]) {
    app.get(url, async (request, reply) => sendPage({ request, reply }, web.page, console));
  }
  for (const [url, file] of web.files) {
    app.get(url, async (request, reply) => {
      const caching = file.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache';
      return sendFile({ request, reply }, file, caching);
    });
  }
}

/** An address that is none of ours, asked for by somebody who reads pages. */
export function wantsPage({ method, url, headers }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  return !/^\/(api|v1)\//.test(url) && (headers.accept ?? '').includes('text/html');
}

export function sendPage(call: Call, page: ConsoleFile, deps: ConsoleDeps): FastifyReply {
  call.reply.headers(pageHeaders);
  // The headers of answers to pages are of no use to other services.
  if (isServedSecurely(call.request, deps)) call.reply.headers(onlySecurely);
  return sendFile(call, page, 'no-cache');
}

interface Call {
  request: FastifyRequest;
  reply: FastifyReply;
}

const notBuilt = `Tintype is running; its console is not built.

Run "npm run build" and start the service again. That needs the development dependencies:
"npm ci" installs them. The API works without the console: see /openapi.json.
`;

function sendFile({ request, reply }: Call, file: ConsoleFile, caching: string): FastifyReply {
  const encoding = encodingFor(request.headers['accept-encoding'], file);
  reply
    .headers(fileHeaders)
    .header('cache-control', caching)
    .header('content-type', file.contentType)
    // Another encoding is another sequence of bytes; the same file all the same.
    .header('etag', `W/${file.etag}`);
  // Only what is there can be the same as before.
  if (reply.statusCode === 200 && isKnown(request, file)) return reply.code(304).send();
  if (encoding.name) reply.header('content-encoding', encoding.name);
  return reply.send(encoding.bytes);
}

function isKnown({ headers }: FastifyRequest, { etag }: ConsoleFile): boolean {
  const given = headers['if-none-match'] ?? '';
  return given.split(',').some((each) => each.trim().replace(/^W\//, '') === etag);
}
