import { expect, it } from 'vitest';
import { noSignal, openTestHttp } from '../../../test/support/services/outgoing.ts';
import { thrownBy } from '../../../test/support/thrown-by.ts';
import { ComfyuiServer } from './comfyui-server.ts';

it.each([
  ['http://comfy.test:8188', 'ws://comfy.test:8188/ws?clientId=mine'],
  ['https://comfy.test/base/', 'wss://comfy.test/base/ws?clientId=mine'],
])('the WebSocket of %s is at %s', async (baseUrl, address) => {
  const asked: string[] = [];
  const http = {
    ...openTestHttp(baseUrl),
    openSocket: async (url: URL) => {
      asked.push(url.href);
      throw new Error('it is not opened');
    },
  };
  const server = new ComfyuiServer({ http, baseUrl, credential: null });
  await thrownBy(server.openSocket('mine', noSignal));
  expect(asked).toEqual([address]);
});
