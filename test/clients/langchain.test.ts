import { DallEAPIWrapper } from '@langchain/openai';
import { expect, it } from 'vitest';
import { describeApi } from '../support/callers/api.ts';
import { decodePicture } from '../support/decode-picture.ts';
import { spentBy } from '../support/money/spent.ts';

const square = { format: 'png', size: '1024x1024' };

describeApi((api) => {
  const settingsFor = ({ apiKey }: { apiKey: string }) => ({
    apiKey,
    baseUrl: `${api.app.baseUrl}/v1`,
    model: 'gen-image-2.5-flare',
  });

  it('gives an agent a data URL, with what it asks for unless told otherwise', async () => {
    const tool = new DallEAPIWrapper(settingsFor(api.user));
    expect(tool).toMatchObject({ style: 'vivid', quality: 'standard', dallEResponseFormat: 'url' });
    const url: unknown = await tool.invoke('a red fox');
    expect(url).toMatch(/^data:image\/png;base64,/);
    expect(await decodePicture(String(url))).toEqual(square);
  });

  it('gives an agent base64', async () => {
    const tool = new DallEAPIWrapper({ ...settingsFor(api.user), responseFormat: 'b64_json' });
    expect(await decodePicture(String(await tool.invoke('a red fox')))).toEqual(square);
  });

  it('gives several pictures, each charged', async () => {
    const user = await api.app.addUser();
    const tool = new DallEAPIWrapper({ ...settingsFor(user), n: 2 });
    const image = { type: 'image_url', image_url: expect.stringMatching(/^data:image\/png/) };
    expect(await tool.invoke('two owls')).toEqual([image, image]);
    expect(await spentBy(api.app.database, user)).toEqual(['0.04', '0.04']);
  });
});
