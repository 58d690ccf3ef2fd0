import { describe, expect, it } from 'vitest';
import { hurriedClock } from '../../../test/support/hurried-clock.ts';
import { makePicture } from '../../../test/support/pictures.ts';
import { thrownBy } from '../../../test/support/thrown-by.ts';
import { CutString } from '../../lib/bytes/json-cut.ts';
import { type GuardedHttp, OutgoingError } from '../../lib/outgoing/guarded-http.ts';
import type { DownloadOptions } from '../../lib/outgoing/guarded-http-download.ts';
import { answerLimits } from './limits.ts';
import { pictureAtUrl } from './result-url.ts';

const { signal } = new AbortController();
const clock = hurriedClock(1000);
const picture = await makePicture('png');

interface Download extends DownloadOptions {
  url: string;
}

function downloading(work: () => Promise<Buffer> = async () => picture) {
  const asked: Download[] = [];
  const download = async (url: string, options: DownloadOptions) => {
    asked.push({ url, ...options });
    return await work();
  };
  // Nothing else of it is used here.
  return { asked, http: { download } as Pick<GuardedHttp, 'download'> as GuardedHttp };
}

describe('a picture at an address', () => {
  it('is fetched, within the limit of a picture', async () => {
    const { http, asked } = downloading();
    const image = await pictureAtUrl(http, 'https://cdn.example.com/a.png', { signal, clock });
    expect(image).toEqual({ encoding: 'raw', bytes: picture });
    const bytesMax = answerLimits.pictureBytesMax;
    expect(asked).toEqual([{ url: 'https://cdn.example.com/a.png', signal, bytesMax }]);
  });

  it('is fetched with the headers for its own service', async () => {
    const { http, asked } = downloading();
    const headers = { authorization: 'Bearer x' };
    await pictureAtUrl(http, 'https://cdn.example.com/a.png', { signal, clock, headers });
    expect(asked[0]?.headers).toBe(headers);
  });

  it.each<[string, string]>([
    ['/files/a.png', 'http://127.0.0.1:8080/files/a.png'],
    ['a.png?x=1', 'http://127.0.0.1:8080/v1/a.png?x=1'],
    ['https://cdn.example.com/a.png', 'https://cdn.example.com/a.png'],
  ])('may be given by a path: %s', async (address, url) => {
    const { http, asked } = downloading();
    const relativeTo = new URL('http://127.0.0.1:8080/v1/images');
    await pictureAtUrl(http, address, { signal, clock, relativeTo });
    expect(asked[0]?.url).toBe(url);
  });

  it('is not fetched when the address is the picture itself', async () => {
    const { http, asked } = downloading();
    const url = 'data:image/png;base64,QUJD';
    for (const address of [url, new CutString(Buffer.from(url))]) {
      const image = await pictureAtUrl(http, address, { signal, clock });
      expect(image).toEqual({ encoding: 'base64', ascii: Buffer.from('QUJD') });
    }
    expect(asked).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['empty', ''],
    ['a number', 7],
    ['a path of nothing', '/a.png'],
    ['too long', `https://example.com/${'a'.repeat(8_173)}`],
  ])('that is %s is a protocol fault', async (_name, address) => {
    const { http, asked } = downloading();
    const stated = { status: 200, upstreamRequestId: 'req_1' };
    expect(await thrownBy(pictureAtUrl(http, address, { signal, clock, stated }))).toMatchObject({
      fault: 'protocol',
      status: 200,
      upstreamRequestId: 'req_1',
      possiblyCharged: true,
    });
    expect(asked).toEqual([]);
  });

  it('may be as long as an address may be', async () => {
    const { http, asked } = downloading();
    const url = `https://example.com/${'a'.repeat(8_172)}`;
    await pictureAtUrl(http, url, { signal, clock });
    expect(asked[0]?.url).toHaveLength(8_192);
  });

  it.each([
    ['connect', null, 4],
    ['cut', null, 4],
    ['status', 429, 4],
    ['status', 500, 4],
    ['status', 503, 4],
    ['status', 599, 4],
    ['status', 404, 1],
    ['status', 204, 1],
    ['status', 600, 1],
    ['slow', null, 1],
    ['forbidden', null, 1],
    ['too_large', null, 1],
  ] as const)(
    'that fails by %s %s is asked for %i times at most',
    async (problem, status, times) => {
      const failing = (failures: number) => {
        let left = failures;
        return downloading(async () => {
          if (left-- === 0) return picture;
          throw new OutgoingError(problem, 'not now', { status });
        });
      };
      const address = 'https://cdn.example.com/a.png';
      const last = failing(times - 1);
      const image = await pictureAtUrl(last.http, address, { signal, clock });
      expect(image).toEqual({ encoding: 'raw', bytes: picture });
      const { http, asked } = failing(times);
      const stated = { status: 200 };
      expect(await thrownBy(pictureAtUrl(http, address, { signal, clock, stated }))).toMatchObject({
        status: 200,
        possiblyCharged: true,
      });
      expect(asked).toHaveLength(times);
    },
  );

  it('that is hidden by a web page is asked for four times at most', async () => {
    const page = Buffer.from('<p>Back in a minute</p>');
    const hidden = (times: number) => {
      let left = times;
      return downloading(async () => (left-- > 0 ? page : picture));
    };
    const address = 'https://cdn.example.com/a.png';
    const image = await pictureAtUrl(hidden(3).http, address, { signal, clock });
    expect(image).toEqual({ encoding: 'raw', bytes: picture });
    const { http, asked } = hidden(4);
    const stated = { status: 200, upstreamRequestId: 'req_1' };
    expect(await thrownBy(pictureAtUrl(http, address, { signal, clock, stated }))).toMatchObject({
      fault: 'protocol',
      message: 'the address of the answer holds no picture',
      ...stated,
      possiblyCharged: true,
    });
    expect(asked).toHaveLength(4);
  });

  it('that cannot be had has been made all the same', async () => {
    const { http } = downloading(() => Promise.reject(new OutgoingError('connect', 'no way')));
    const address = 'https://cdn.example.com/a.png';
    expect(await thrownBy(pictureAtUrl(http, address, { signal, clock }))).toMatchObject({
      fault: 'unavailable',
      possiblyCharged: true,
    });
  });

  it('passes on the reason of a stop', async () => {
    const reason = new Error('stopped');
    const { http } = downloading(() => Promise.reject(reason));
    expect(await thrownBy(pictureAtUrl(http, 'https://example.com', { signal, clock }))).toBe(
      reason,
    );
  });
});
