/** A collector of OpenTelemetry traces on loopback, as OTLP over HTTP speaks to one. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { z } from 'zod';

const valueSchema = z.object({
  stringValue: z.string().optional(),
  intValue: z.union([z.number(), z.string()]).optional(),
  doubleValue: z.number().optional(),
});
const attributesSchema = z.array(z.object({ key: z.string(), value: valueSchema }));
const spanSchema = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  attributes: attributesSchema,
  links: z.array(z.object({ traceId: z.string(), spanId: z.string() })),
  status: z.object({ code: z.number(), message: z.string().optional() }),
});
const exportSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: attributesSchema }),
      scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })),
    }),
  ),
});

export interface CollectedSpan {
  traceId: string;
  spanId: string;
  /** Null for the first span of a trace. */
  parentSpanId: string | null;
  name: string;
  attributes: Readonly<Record<string, unknown>>;
  links: readonly { traceId: string; spanId: string }[];
  isFailed: boolean;
  /** Unix nanoseconds. */
  begunAt: bigint;
  endedAt: bigint;
}

export interface TraceCollector {
  url: string;
  spans: readonly CollectedSpan[];
  /** Of each export. */
  headers: readonly IncomingHttpHeaders[];
  resource: Readonly<Record<string, unknown>>;
  /** Everything it was sent. */
  text(): string;
  spansNamed(name: string): readonly CollectedSpan[];
}

/**
 * It lasts as long as the test.
 *
 * @param status what it answers with
 */
export async function startTraceCollector(
  status: number | 'silence' = 200,
): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const resource: Record<string, unknown> = {};
  let text = '';
  const server = createServer((request, response) => {
    readBody(request).then(
      (body) => {
        if (status !== 'silence') response.writeHead(status).end('{}');
        if (request.url !== '/base/v1/traces') return;
        headers.push(request.headers);
        text += body;
        const { resourceSpans } = exportSchema.parse(JSON.parse(body));
        for (const each of resourceSpans) {
          Object.assign(resource, plain(each.resource.attributes));
          spans.push(...each.scopeSpans.flatMap((scope) => scope.spans.map(collected)));
        }
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  // A listening TCP server's address is never a string.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/base`,
    spans,
    headers,
    resource,
    text: () => text,
    spansNamed: (name) => spans.filter((span) => span.name === name),
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  // Without an encoding, a request comes in buffers.
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

function collected(span: z.infer<typeof spanSchema>): CollectedSpan {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId ?? null,
    name: span.name,
    attributes: plain(span.attributes),
    links: span.links.map(({ traceId, spanId }) => ({ traceId, spanId })),
    // As the protocol numbers it.
    isFailed: span.status.code === 2,
    begunAt: BigInt(span.startTimeUnixNano),
    endedAt: BigInt(span.endTimeUnixNano),
  };
}

function plain(attributes: z.infer<typeof attributesSchema>): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.doubleValue ?? Number(value.intValue),
    ]),
  );
}
