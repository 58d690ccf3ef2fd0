/** The start options of metrics and traces: rows of the table in `config.ts`. */
import { integer, list, optional, text } from '../lib/option-types.ts';
import { type Contradiction, defineOption, type OptionValues } from '../lib/options.ts';

export const telemetryOptions = {
  metricsPort: defineOption({
    variable: 'TINTYPE_METRICS_PORT',
    type: optional(integer({ min: 0, max: 65_535 })),
    default: null,
    meaning:
      'Separate port for `/metrics`; 0 takes any free one. With neither this nor the token, there are no metrics.',
  }),
  metricsAddress: defineOption({
    variable: 'TINTYPE_METRICS_ADDRESS',
    type: text('a host name or address', (host) => /^[\w.:-]+$/.test(host)),
    default: '127.0.0.1',
    meaning: 'Address that this port listens on.',
  }),
  metricsSecret: defineOption({
    variable: 'TINTYPE_METRICS_TOKEN',
    type: optional(text('16 characters or more', (secret) => /^\S{16,}$/.test(secret))),
    default: null,
    secret: true,
    meaning:
      'Bearer token that `/metrics` asks for. Without a separate port, `/metrics` is on the main port.',
  }),
  tracesEndpoint: defineOption({
    variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    type: optional(text('an address such as http://127.0.0.1:4318', isHttpUrl)),
    default: null,
    // It may have a user and a password.
    secret: true,
    meaning:
      'OpenTelemetry collector that traces are sent to, by OTLP over HTTP; without it, there are no traces.',
  }),
  tracesHeaders: defineOption({
    variable: 'OTEL_EXPORTER_OTLP_HEADERS',
    type: optional(list('name=value between commas', (entry) => /^[\w-]+=\S*$/.test(entry))),
    default: null,
    secret: true,
    meaning: 'Headers for the collector, such as `authorization=Bearer%20…`.',
  }),
  tracesServiceName: defineOption({
    variable: 'OTEL_SERVICE_NAME',
    type: text('a name', (name) => name !== ''),
    default: 'tintype',
    meaning: 'Name of this service at the collector.',
  }),
  tracesKeptPercent: defineOption({
    variable: 'TINTYPE_TRACES_PERCENT',
    type: integer({ min: 0, max: 100 }),
    default: 100,
    meaning: 'Percentage of requests that are traced.',
  }),
};

/** What cannot be meant together, also with where the service itself listens. */
export function telemetryContradictions({
  metricsPort,
  metricsAddress,
  host,
  port,
}: OptionValues<typeof telemetryOptions> & { host: string; port: number }): Contradiction[] {
  const everywhere = ['0.0.0.0', '::'];
  // That name is listened on there.
  const places = [metricsAddress, host].map((at) => (at === 'localhost' ? '127.0.0.1' : at));
  const meet = places[0] === places[1] || places.some((at) => everywhere.includes(at));
  if (metricsPort === null || metricsPort === 0 || metricsPort !== port || !meet) return [];
  const variable = telemetryOptions.metricsPort.variable;
  const secret = telemetryOptions.metricsSecret.variable;
  const problem = `${variable} must be another port than TINTYPE_PORT (${port}): with ${secret} and without ${variable}, /metrics is on the main port`;
  return [{ variables: [variable, 'TINTYPE_PORT'], problem }];
}

function isHttpUrl(url: string): boolean {
  return ['http:', 'https:'].includes(URL.parse(url)?.protocol ?? '');
}
