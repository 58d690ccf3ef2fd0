/** The start options of connections: rows of the table in `config.ts`. */
import { duration } from '../lib/option-types.ts';
import { defineOption } from '../lib/options.ts';

export const connectionOptions = {
  headersTimeoutMs: defineOption({
    variable: 'TINTYPE_HEADERS_TIMEOUT',
    type: duration({ min: '1s', max: '10m' }),
    default: 60_000,
    meaning:
      'Time for the headers of a request to arrive; then the connection is closed with a 408.',
  }),
  shutdownDelayMs: defineOption({
    variable: 'TINTYPE_SHUTDOWN_DELAY',
    type: duration({ min: '0s', max: '10m' }),
    default: 1_000,
    meaning:
      'How long the service still takes connections after it is told to stop, with `/readyz` at 503. Make it longer than a load balancer takes to notice, if that relies on its checks.',
  }),
};
