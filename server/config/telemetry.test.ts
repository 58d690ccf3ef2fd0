import { describe, expect, it } from 'vitest';
import { loadConfig } from '../config.ts';

describe('metrics', () => {
  it('are off unless they are asked for', () => {
    const { config } = loadConfig({}, {});
    expect(config).toMatchObject({ metricsPort: null, metricsSecret: null, tracesEndpoint: null });
  });

  it.each([
    ['TINTYPE_METRICS_PORT', '0', true],
    ['TINTYPE_METRICS_PORT', '65535', true],
    ['TINTYPE_METRICS_PORT', '65536', false],
    ['TINTYPE_METRICS_ADDRESS', '::1', true],
    ['TINTYPE_METRICS_ADDRESS', 'http://a', false],
    ['TINTYPE_METRICS_TOKEN', 'x'.repeat(16), true],
    ['TINTYPE_METRICS_TOKEN', 'x'.repeat(15), false],
    ['TINTYPE_METRICS_TOKEN', `${'x'.repeat(16)} y`, false],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'https://collector.example.com:4318/base', true],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', false],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization=Basic%20abc,x-team=images', true],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization', false],
    ['OTEL_SERVICE_NAME', 'paint', true],
    ['TINTYPE_TRACES_PERCENT', '0', true],
    ['TINTYPE_TRACES_PERCENT', '100', true],
    ['TINTYPE_TRACES_PERCENT', '101', false],
  ])('%s may be %s: %s', (variable, value, isAllowed) => {
    const load = () => loadConfig({}, { [variable]: value });
    if (isAllowed) expect(load).not.toThrow();
    else expect(load).toThrow(`${variable} must be `);
  });

  it.each([
    [{ TINTYPE_PORT: '9464' }, false],
    [{ TINTYPE_PORT: '9464', TINTYPE_HOST: '0.0.0.0' }, false],
    [{ TINTYPE_PORT: '9464', TINTYPE_HOST: 'localhost' }, false],
    [{ TINTYPE_PORT: '9464', TINTYPE_METRICS_ADDRESS: '10.0.0.5' }, true],
    [{ TINTYPE_PORT: '9465' }, true],
  ])('have a port of their own: with %j, 9464 is one: %s', (others, isAllowed) => {
    const load = () => loadConfig({}, { TINTYPE_METRICS_PORT: '9464', ...others });
    if (isAllowed) expect(load).not.toThrow();
    else expect(load).toThrow('TINTYPE_METRICS_PORT must be another port than TINTYPE_PORT (9464)');
  });

  it('keep their secrets out of what is said of them', () => {
    const load = () => loadConfig({}, { TINTYPE_METRICS_TOKEN: 'hunter2' });
    expect(load).toThrow(/^(?!.*hunter2)/);
  });
});
