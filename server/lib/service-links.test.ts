import { describe, expect, it } from 'vitest';
import { withoutServiceLinks } from './service-links.ts';

const linksOf = (service: string, port: number) => ({
  [`${service}_SERVICE_HOST`]: '10.0.0.7',
  [`${service}_SERVICE_PORT`]: String(port),
  [`${service}_SERVICE_PORT_HTTP`]: String(port),
  [`${service}_PORT`]: `tcp://10.0.0.7:${port}`,
  [`${service}_PORT_${port}_TCP`]: `tcp://10.0.0.7:${port}`,
  [`${service}_PORT_${port}_TCP_PROTO`]: 'tcp',
  [`${service}_PORT_${port}_TCP_PORT`]: String(port),
  [`${service}_PORT_${port}_TCP_ADDR`]: '10.0.0.7',
});

describe('what Kubernetes says of services', () => {
  it.each(['TINTYPE', 'TINTYPE_METRICS', 'TINTYPE_PORT'])('is left out: of %s', (service) => {
    const ours = { TINTYPE_HOST: '0.0.0.0', PATH: '/bin' };
    expect(withoutServiceLinks({ ...linksOf(service, 9464), ...ours })).toEqual(ours);
  });

  it('gives way to what the pod itself says', () => {
    const ours = { TINTYPE_PORT: '9000' };
    expect(withoutServiceLinks({ ...linksOf('TINTYPE', 8080), ...ours })).toEqual(ours);
  });

  it('is nothing without an address: what is misspelt is still to be seen', () => {
    const misspelt = { TINTYPE_SERVICE_HOST: '::', TINTYPE_SERVICE_PORT: '1', TINTYPE_PORT: 'x' };
    expect(withoutServiceLinks(misspelt)).toEqual(misspelt);
  });
});
