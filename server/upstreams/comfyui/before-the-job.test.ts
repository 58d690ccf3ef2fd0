import { expect, it } from 'vitest';
import { comfyuiSubject } from '../../../test/upstreams/comfyui.ts';
import { errorOf, withComfyui } from '../../../test/upstreams/comfyui-bench.ts';
import { cutAt, whole } from '../../../test/upstreams/deliveries.ts';
import type { Reply } from '../../../test/upstreams/fake-service.ts';
import { editJob } from '../../../test/upstreams/jobs.ts';

const edit = await editJob(
  { ...comfyuiSubject(), upstreamModel: 'sdxl-edit' },
  { references: 1, withMask: true },
);

const empty = { status: 200, headers: {}, body: [] };
const reset: Reply = { answer: empty, deliver: cutAt(0, 'reset') };
const cutOff: Reply = {
  answer: { ...empty, body: [Buffer.alloc(99)] },
  deliver: cutAt(0.5, 'ended'),
};
const gatewayTimeout: Reply = { answer: { ...empty, status: 504 }, deliver: whole };
const webPage: Reply = { answer: { ...empty, body: [Buffer.from('<p>')] }, deliver: whole };

it.each([
  ['GET', '/prompt', 'is reset', reset, false],
  ['GET', '/prompt', 'is cut off', cutOff, false],
  ['GET', '/prompt', 'is a 504', gatewayTimeout, false],
  ['GET', '/prompt', 'is a web page', webPage, false],
  ['POST', '/upload/image', 'is reset', reset, false],
  ['POST', '/upload/image', 'is a web page', webPage, false],
  ['POST', '/prompt', 'is reset', reset, true],
  ['POST', '/prompt', 'is cut off', cutOff, true],
  ['POST', '/prompt', 'is a 504', gatewayTimeout, true],
] as const)('where the answer to %s %s %s', async (...[method, path, , reply, possiblyCharged]) => {
  const options = {
    work: () => {},
    before: (request: { method: string; path: string }) =>
      request.method === method && request.path === path ? reply : null,
  };
  await withComfyui(options, async ({ run }) => {
    expect(await errorOf(run(edit))).toMatchObject({ possiblyCharged });
  });
});
