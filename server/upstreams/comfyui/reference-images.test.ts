/** Where several reference images of one edit come to lie, and the mask over the first of them. */
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { makePicture } from '../../../test/support/pictures.ts';
import { comfyuiSubject } from '../../../test/upstreams/comfyui.ts';
import { eventsOf, withComfyui } from '../../../test/upstreams/comfyui-bench.ts';
import type { EngineRun } from '../../../test/upstreams/comfyui-engine.ts';
import { editJob } from '../../../test/upstreams/jobs.ts';
import { must } from '../../lib/assert.ts';
import inpaint from './workflows/inpaint.json' with { type: 'json' };

const picture = await makePicture('png');
const imageNodes = ['10', '12', '13'];
const settings = {
  workflows: {
    several: {
      workflow: { ...inpaint, 12: inpaint['10'], 13: inpaint['10'] },
      slots: {
        prompt: { node: '6', input: 'text' },
        images: imageNodes.map((node) => ({ node, input: 'image' })),
        mask: { node: '11', input: 'image' },
      },
    },
  },
};

const edit = await editJob(
  { ...comfyuiSubject(), upstreamModel: 'several' },
  { references: 3, withMask: true },
);

/** What the server has of the files of these nodes while the workflow runs. */
async function filesOf(job: typeof edit): Promise<Buffer[]> {
  const seen: Buffer[] = [];
  const work = (run: EngineRun) => {
    for (const node of imageNodes) {
      const name = String(run.prompt.graph[node]?.inputs['image']).replace(' [temp]', '');
      seen.push(must(run.fileAt(`temp//${name}`), `the file of node ${node}`));
    }
    run.sendPicture('9', picture);
    run.succeed();
  };
  await withComfyui({ work, settings }, async ({ run }) => {
    await eventsOf(run(job));
  });
  return seen;
}

it('is each in its own place, in the order of the request', async () => {
  expect(await filesOf(edit)).toEqual(edit.referenceImages.map(({ bytes }) => bytes));
});

it('is turned by its EXIF but for the first, over which a mask lies as that is stored', async () => {
  const referenceImages = await Promise.all(
    edit.referenceImages.map(async (image) => ({
      ...image,
      bytes: await sharp(image.bytes).withMetadata({ orientation: 6 }).toBuffer(),
    })),
  );
  const files = await filesOf({ ...edit, referenceImages });
  const orientations = files.map(async (file) => (await sharp(file).metadata()).orientation);
  expect(await Promise.all(orientations)).toEqual([undefined, 6, 6]);
});
