import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { must } from '../../../server/lib/assert.ts';
import { startTestApp } from '../../support/app.ts';
import { forEachEngine } from '../../support/databases/databases.ts';

forEachEngine((engine) => {
  test('a port for metrics that is in use keeps the service from starting, and is named', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => new Promise<void>((resolve) => other.close(() => resolve())));
    // A listening TCP server's address is never a string.
    const { port: metricsPort } = other.address() as AddressInfo;
    const location = engine.locationOf(await engine.open());
    await expect(startTestApp(location, { config: { metricsPort } })).rejects.toThrow(
      `port ${metricsPort} on 127.0.0.1 is in use; stop what uses it, or choose another with TINTYPE_METRICS_PORT`,
    );
  });

  test('the port is closed when the service stops', async () => {
    const location = engine.locationOf(await engine.open());
    const service = await startTestApp(location, { config: { metricsPort: 0 } });
    expect(await fetch(`${service.app.metricsUrl}/metrics`)).toMatchObject({ status: 200 });
    await service.stop();
    await expect(fetch(`${service.app.metricsUrl}/metrics`)).rejects.toThrow('fetch failed');
  });

  test('who has not ended their question there keeps the service from stopping for nobody', async () => {
    const location = engine.locationOf(await engine.open());
    const service = await startTestApp(location, { config: { metricsPort: 0 } });
    const { hostname, port } = new URL(must(service.app.metricsUrl, 'the address of the metrics'));
    const socket = connect({ host: hostname, port: Number(port) });
    onTestFinished(() => void socket.destroy());
    const left = once(socket.resume(), 'close');
    socket.write(
      'GET /metrics HTTP/1.1\r\nHost: metrics\r\nConnection: keep-alive\r\n\r\nGET /met',
    );
    await once(socket, 'data');
    await service.stop();
    await expect(left).resolves.toBeDefined();
  });
});
