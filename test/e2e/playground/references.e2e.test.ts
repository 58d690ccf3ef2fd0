/** Reference images: where they come from, their order, and what they become. */
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { it } from 'vitest';
import { describeConsole } from '../support/console.ts';
import { CuttingProxy } from '../support/cutting-proxy.ts';
import { expect } from '../support/expect.ts';
import { GalleryPage, makeImage } from '../support/gallery-page.ts';
import { hand } from '../support/hand.ts';
import { MaskEditorPage } from '../support/mask-page.ts';
import {
  PlaygroundPage,
  picture,
  requestsOf,
  visitPlayground,
} from '../support/playground-page.ts';

describeConsole(
  (console) => {
    it('B29 takes pictures that are dropped, pasted and picked, and leaves text to the prompt', async () => {
      const { playground, page, context } = await visitPlayground(console);
      await playground.attach(await picture('picked.png', 'teal'));
      await expect(playground.references).toHaveCount(2);
      await hand(page, 'drop', await picture('dropped.png', 'gold'));
      await expect(page.getByRole('img', { name: 'Image 2: dropped.png' })).toBeVisible();
      await hand(page, 'paste', await picture('pasted.png', 'navy'));
      await expect(page.getByRole('img', { name: 'Image 3: pasted.png' })).toBeVisible();
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.evaluate(() => navigator.clipboard.writeText('a fox from the clipboard'));
      await playground.prompt.press('Control+v');
      await expect(playground.prompt).toHaveValue('a fox from the clipboard');
      // Three, and the button that adds another.
      await expect(playground.references).toHaveCount(4);
    });

    it('pastes text as text where the clipboard has a picture of it too, as of cells', async () => {
      const { playground, page, context } = await visitPlayground(console);
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.evaluate(async () => {
        const canvas = new OffscreenCanvas(60, 20);
        canvas.getContext('2d');
        const picture = await canvas.convertToBlob();
        const text = (type: string, value: string) => ({ [type]: new Blob([value], { type }) });
        const cells = {
          ...text('text/plain', 'a fox in a cell'),
          ...text('text/html', '<table><tr><td>a fox in a cell</td></tr></table>'),
          'image/png': picture,
        };
        await navigator.clipboard.write([new ClipboardItem(cells)]);
      });
      await playground.prompt.press('Control+v');
      await expect(playground.prompt).toHaveValue('a fox in a cell');
      await expect(playground.references).toHaveCount(1);
      await page.getByRole('heading', { level: 1 }).focus();
      await page.keyboard.press('Control+v');
      await expect(playground.references).toHaveCount(2);
    });

    it('B30 refuses a file that is too large before anything is sent, and shrinks it', async () => {
      const { playground, page } = await visitPlayground(console);
      const sent: string[] = [];
      page.on('request', (request) => {
        if (request.method() === 'POST') sent.push(request.url());
      });
      const small = await picture('huge.png', 'teal', { width: 1200, height: 900 });
      const huge = { ...small, buffer: Buffer.alloc(21 * 1_048_576) };
      small.buffer.copy(huge.buffer);
      await playground.attach(huge);
      await expect(page.getByText('huge.png is 22 MB.', { exact: false })).toBeVisible();
      await expect(playground.references).toHaveCount(1);
      await page.getByRole('button', { name: 'Shrink and attach' }).click();
      await expect(page.getByRole('img', { name: 'Image 1: huge.png' })).toBeVisible();
      await expect(page.getByText(/^huge\.png attached with \d+ kB\.$/)).toBeVisible();
      expect(sent).toEqual([]);
    });

    it('offers to shrink a result, or a picture of the gallery, that is too large to be a reference', async () => {
      const { playground, page } = await visitPlayground(console);
      await playground.generate('a fox [[bytes=21M]]');
      await playground.expectResult();
      await playground.expectKept();
      await page.getByRole('button', { name: 'Use as reference' }).click();
      const refusal = page.getByText(/a-fox.* is 22 MB\. The limit is 20 MB/);
      await expect(refusal).toBeVisible();
      await expect(playground.references).toHaveCount(1);
      await page.getByRole('button', { name: 'Shrink and attach' }).click();
      await expect(page.getByRole('img', { name: /^Image 1: / })).toBeVisible();
      const gallery = new GalleryPage(page);
      await gallery.open();
      await gallery.tile('a fox').getByRole('link').click();
      await page.getByRole('button', { name: 'Use as reference' }).click();
      await expect(refusal).toBeVisible();
    });

    it('says once that there are as many as the model takes, however many more were dropped', async () => {
      const { playground, page } = await visitPlayground(console);
      const files = Array.from({ length: 19 }, (_, at) => picture(`${at}.png`, 'teal'));
      await hand(page, 'drop', ...(await Promise.all(files)));
      const note = page.getByText('There are 16 already, as many as the model takes.');
      await expect(note).toBeVisible();
      // All nineteen have been read.
      await expect(page.getByRole('button', { name: 'Add image' })).not.toHaveAttribute(
        'aria-busy',
      );
      await expect(note).toHaveCount(1);
      await expect(playground.references).toHaveCount(17);
    });

    it('says of a model without edits that it takes none, not that there are none already', async () => {
      const { playground, page } = await visitPlayground(console);
      await page.route('**/api/console/models', async (route) => {
        const response = await route.fetch();
        const body = (await response.text())
          .replaceAll('"operations":["generation","edit"]', '"operations":["generation"]')
          .replaceAll('"reference_images_max":16', '"reference_images_max":0');
        await route.fulfill({ response, body });
      });
      await page.reload();
      await playground.attach(await picture('one.png', 'teal'));
      await expect(
        page.getByText('gen-image-2.5-sunburst takes no reference images.'),
      ).toBeVisible();
      await expect(page.getByText('There are 0 already', { exact: false })).toHaveCount(0);
      await page.unrouteAll({ behavior: 'wait' });
    });

    it('says plainly what is no picture', async () => {
      const { playground, page } = await visitPlayground(console);
      const text = { mimeType: 'text/plain', buffer: Buffer.from('not a picture') };
      await playground.attach({ ...text, name: 'notes.txt' }, { ...text, name: 'photo.heic' });
      await expect(
        page.getByText('notes.txt is not an image that this browser can read.'),
      ).toBeVisible();
      await expect(page.getByText('photo.heic is a HEIC photo', { exact: false })).toBeVisible();
      await expect(playground.references).toHaveCount(1);
    });

    it('draws anew what is no PNG, JPEG or still WebP, whatever its name says', async () => {
      const { playground, page } = await visitPlayground(console);
      const frames = [(await picture('', 'teal')).buffer, (await picture('', 'gold')).buffer];
      const film = sharp(frames, { join: { animated: true } });
      await playground.attach(
        { name: 'a-gif.png', mimeType: 'image/png', buffer: await film.gif().toBuffer() },
        { name: 'film.webp', mimeType: 'image/webp', buffer: await film.webp().toBuffer() },
      );
      await expect(page.getByRole('img', { name: 'Image 2: film.webp' })).toBeVisible();
      await playground.generate('a fox');
      await playground.expectResult();
    });

    it('draws a picture upright that wants to be turned, so that a mask fits it', async () => {
      const { playground, page } = await visitPlayground(console);
      const { buffer } = await picture('', 'teal');
      const turned = await sharp(buffer).withMetadata({ orientation: 6 }).png().toBuffer();
      await playground.attach({ name: 'turned.png', mimeType: 'image/png', buffer: turned });
      const editor = new MaskEditorPage(page);
      await editor.open();
      await editor.stroke([0.4, 0.5], [0.6, 0.5]);
      await editor.save();
      await playground.generate('a fox');
      await playground.expectResult();
      await expect(playground.receipt).toContainText('80 × 120');
    });

    it('B31 sends the references in the order of their numbers, which buttons change', async () => {
      const proxy = await CuttingProxy.start(console.app.baseUrl);
      const { page } = await visitPlayground(console);
      try {
        await page.goto(`${proxy.url}/playground`);
        const playground = new PlaygroundPage(page);
        const files = [
          await picture('one.png', 'teal', { width: 60 }),
          await picture('two.png', 'gold', { width: 70 }),
          await picture('three.png', 'navy', { width: 80 }),
        ];
        await playground.attach(...files);
        await expect(page.getByRole('img', { name: 'Image 3: three.png' })).toBeVisible();
        await page.getByRole('button', { name: 'Move image 3 earlier' }).click();
        await page.getByRole('button', { name: 'Move image 2 earlier' }).click();
        await page.getByRole('button', { name: 'Move image 2 later' }).click();
        for (const [number, name] of [
          [1, 'three.png'],
          [2, 'two.png'],
          [3, 'one.png'],
        ] as const) {
          await expect(page.getByRole('img', { name: `Image ${number}: ${name}` })).toBeVisible();
        }
        await playground.generate('a fox');
        await playground.expectResult();
        const form = await proxy.formOf('/api/console/images/edits');
        const images = form.filter(([name]) => name === 'image[]').map(([, value]) => value);
        const bytes = await Promise.all(images.map(bytesOf));
        const wanted = [files[2], files[1], files[0]].map((file) => file?.buffer);
        expect(bytes.map((each, index) => each.equals(wanted[index] ?? Buffer.alloc(0)))).toEqual([
          true,
          true,
          true,
        ]);
      } finally {
        await page.close();
        await proxy.stop();
      }
    });

    it('B32 edits a result that is used as reference', async () => {
      const proxy = await CuttingProxy.start(console.app.baseUrl);
      const { page, user } = await visitPlayground(console);
      try {
        await page.goto(`${proxy.url}/playground`);
        const playground = new PlaygroundPage(page);
        await playground.generate('a fox');
        await playground.expectResult();
        const download = page.waitForEvent('download');
        await page.getByRole('button', { name: 'Download' }).click();
        const saved = await download;
        expect(saved.suggestedFilename()).toMatch(
          /^\d{4}-\d\d-\d\d_gen-image-2\.5-sunburst_a-fox_\w{6}\.png$/,
        );
        await page.getByRole('button', { name: 'Use as reference' }).click();
        await expect(page.getByRole('img', { name: /^Image 1: / })).toBeVisible();
        await expect(playground.prompt).toBeFocused();
        await expect(playground.prompt).toHaveValue('a fox');
        await playground.generate('the fox at night');
        await expect(playground.result).toHaveAttribute(
          'alt',
          'Generated image: the fox at night',
          { timeout: 20_000 },
        );
        const form = await proxy.formOf('/api/console/images/edits');
        const [, image] = form.find(([name]) => name === 'image[]') ?? [];
        const sent = image === undefined ? null : await bytesOf(image);
        expect(sent?.equals(readFileSync(await saved.path()))).toBe(true);
        const requests = await requestsOf(console, user);
        expect(requests.map(({ operation }) => operation)).toEqual(['generation', 'edit']);
      } finally {
        await page.close();
        await proxy.stop();
      }
    });

    it('B33 sends the same again, under another key', async () => {
      const { playground, page, user } = await visitPlayground(console);
      const sent: { key: string; body: string | null }[] = [];
      page.on('request', (request) => {
        if (!request.url().endsWith('/images/generations')) return;
        sent.push({ key: request.headers()['idempotency-key'] ?? '', body: request.postData() });
      });
      await playground.choose('Size', '3:2');
      await playground.choose('Quality', 'High');
      await playground.generate('a fox');
      await playground.expectResult();
      await playground.prompt.fill('something else');
      await playground.choose('Size', 'Auto');
      await page.getByRole('button', { name: 'Run again for $0.08' }).click();
      await expect
        .poll(async () => (await requestsOf(console, user)).map(({ status }) => status))
        .toEqual(['succeeded', 'succeeded']);
      const [first, second] = sent;
      expect(second?.body).toBe(first?.body);
      expect(first?.body).toContain('"size":"1536x1024"');
      expect(second?.key).not.toBe(first?.key);
    });

    it('varies a result: its prompt to be rewritten, three at a time', async () => {
      const { playground, page } = await visitPlayground(console);
      await playground.choose('Size', '3:2');
      await playground.generate('a fox');
      await playground.expectResult();
      await playground.prompt.fill('something else');
      await playground.choose('Size', 'Auto');
      await page.getByRole('button', { name: 'Vary' }).click();
      await expect(playground.prompt).toHaveValue('a fox');
      await expect(playground.option('Size', '3:2')).toBeChecked();
      await expect(playground.cost).toContainText('3 × $0.08');
      await page.keyboard.type('a hare');
      await expect(playground.prompt).toHaveValue('a hare');
    });

    it('takes over of a kept picture what was left to the model as well', async () => {
      const { playground, page } = await visitPlayground(console);
      await makeImage(playground, 'a fox');
      await playground.choose('Size', '3:2');
      await playground.choose('Quality', 'Max');
      await playground.choose('Format', 'JPEG');
      await playground.choose('Background', 'Opaque');
      const gallery = new GalleryPage(page);
      await gallery.open();
      await gallery.tile('a fox').getByRole('link').click();
      await page.getByRole('button', { name: 'Open in playground' }).click();
      await expect(playground.prompt).toHaveValue('a fox');
      await expect(playground.option('Size', 'Auto')).toBeChecked();
      await expect(playground.option('Quality', 'Auto')).toBeChecked();
      await expect(playground.option('Format', 'PNG')).toBeChecked();
      await expect(playground.option('Background', 'Auto')).toBeChecked();
    });

    it('has what was there before a kept picture was opened, until nobody wants it back', async () => {
      const { playground, page } = await visitPlayground(console);
      await makeImage(playground, 'a fox');
      await playground.choose('Size', '3:2');
      const back = page.getByRole('button', { name: 'Bring it back' });
      for (const wanted of ['Bring it back', 'Dismiss']) {
        await playground.prompt.fill('a long thought about hares');
        const gallery = new GalleryPage(page);
        await gallery.open();
        await gallery.tile('a fox').getByRole('link').click();
        await page.getByRole('button', { name: 'Open in playground' }).click();
        await expect(playground.prompt).toHaveValue('a fox');
        await expect(playground.option('Size', 'Auto')).toBeChecked();
        await page.getByRole('button', { name: wanted }).click();
        await expect(back).toBeHidden();
        await expect(playground.prompt).toBeFocused();
        if (wanted === 'Dismiss') break;
        await expect(playground.prompt).toHaveValue('a long thought about hares');
        await expect(playground.option('Size', '3:2')).toBeChecked();
      }
      await expect(playground.prompt).toHaveValue('a fox');
    });
  },
  { expectedMessages: /request to elsewhere: http:\/\/127\.0\.0\.1/ },
);

/** Hands a file to the page as a browser does when it is dropped or pasted. */
async function bytesOf(value: FormDataEntryValue): Promise<Buffer> {
  if (typeof value === 'string') throw new Error('that is no file');
  return Buffer.from(await value.arrayBuffer());
}
