import { makeZip } from 'client-zip';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEntry, readZip, ZipError } from './zip-reader.ts';

async function zipOf(files: Readonly<Record<string, string>>): Promise<Blob> {
  const entries = Object.entries(files).map(([name, input]) => ({ name, input }));
  return new Response(makeZip(entries)).blob();
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** The file with some of its bytes replaced. */
async function changed(file: Blob, change: (bytes: DataView) => void): Promise<Blob> {
  const bytes = await file.arrayBuffer();
  change(new DataView(bytes));
  return new Blob([bytes]);
}

/** Where the only entry of the directory begins, in a ZIP of one file. */
function directoryAt(view: DataView): number {
  return view.getUint32(view.byteLength - 22 + 16, true);
}

describe('a ZIP of stored files', () => {
  it('gives each file by its name', async () => {
    const file = await zipOf({ 'manifest.json': '{}', 'images/狐.png': 'a picture' });
    const entries = await readZip(file);
    expect([...entries.keys()]).toEqual(['manifest.json', 'images/狐.png']);
    const entry = entries.get('images/狐.png');
    expect(entry && textOf(await readEntry(file, entry))).toBe('a picture');
  });

  it('may have no files at all', async () => {
    expect((await readZip(await zipOf({}))).size).toBe(0);
  });

  it('may be followed by a comment', async () => {
    const file = await zipOf({ a: 'b' });
    const bytes = await file.arrayBuffer();
    new DataView(bytes).setUint16(bytes.byteLength - 2, 5, true);
    expect([...(await readZip(new Blob([bytes, 'hello']))).keys()]).toEqual(['a']);
  });

  it('may be large, with its numbers in ZIP64', async () => {
    const file = await zipOf({ a: 'picture' });
    expect([...(await readZip(await asZip64(file))).keys()]).toEqual(['a']);
  });
});

describe('refused is', () => {
  it('what is no ZIP', async () => {
    for (const text of ['', 'short', 'x'.repeat(100_000)]) {
      await expect(readZip(new Blob([text]))).rejects.toMatchObject({ kind: 'no_zip' });
    }
  });

  it('a ZIP without its beginning or its end', async () => {
    const file = await zipOf({ a: 'picture' });
    await expect(readZip(file.slice(40))).rejects.toMatchObject({ kind: 'damaged' });
    for (const end of [30, 60, file.size - 1]) {
      await expect(readZip(file.slice(0, end))).rejects.toMatchObject({ kind: 'incomplete' });
    }
  });

  it.each([
    ['compressed', (view: DataView) => view.setUint16(directoryAt(view) + 10, 8, true)],
    ['encrypted', (view: DataView) => view.setUint16(directoryAt(view) + 8, 1, true)],
  ])('a file that another program has %s', async (_, change) => {
    const file = await changed(await zipOf({ a: 'picture' }), change);
    await expect(readZip(file)).rejects.toMatchObject({ kind: 'packed' });
  });

  it.each([
    ['a file of two sizes', (view: DataView) => view.setUint32(directoryAt(view) + 20, 1, true)],
    [
      'a file beyond the end',
      (view: DataView) => {
        view.setUint32(directoryAt(view) + 20, 0x7fff_0000, true);
        view.setUint32(directoryAt(view) + 24, 0x7fff_0000, true);
      },
    ],
    [
      'more files than there are',
      (view: DataView) => view.setUint16(view.byteLength - 12, 9, true),
    ],
    [
      'a name beyond the end',
      (view: DataView) => view.setUint16(directoryAt(view) + 28, 999, true),
    ],
    [
      'a directory beyond the end',
      (view: DataView) => view.setUint32(view.byteLength - 10, 1e9, true),
    ],
    [
      'a size that is nowhere',
      (view: DataView) => view.setUint32(directoryAt(view) + 24, 0xffff_ffff, true),
    ],
  ])('%s', async (_, change) => {
    const file = await changed(await zipOf({ a: 'picture' }), change);
    await expect(readZip(file)).rejects.toMatchObject({ kind: 'damaged' });
  });

  it('an entry whose header is not where it should be', async () => {
    const file = await changed(await zipOf({ a: 'picture' }), (view) => view.setUint32(0, 0));
    const [entry] = (await readZip(file)).values();
    await expect(entry && readEntry(file, entry)).rejects.toThrow('no header');
  });

  it('an entry of which a bit has changed', async () => {
    const file = await changed(await zipOf({ a: 'picture' }), (view) =>
      view.setUint8(30 + 'a'.length, 0),
    );
    const [entry] = (await readZip(file)).values();
    await expect(entry && readEntry(file, entry)).rejects.toThrow('has changed');
  });

  it('files of which several are in one place, as in those that unpack to more than there is', async () => {
    const file = await changed(await zipOf({ a: 'picture', b: 'picture' }), (view) => {
      const second =
        directoryAt(view) + 46 + 'a'.length + view.getUint16(directoryAt(view) + 30, true);
      view.setUint32(second + 42, 0, true);
    });
    await expect(readZip(file)).rejects.toThrow('share a place');
  });

  it('whatever else was done to it, with nothing but our own error', async () => {
    const whole = new Uint8Array(await (await zipOf({ a: 'picture', b: '' })).arrayBuffer());
    const wound = fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 255 }));
    await fc.assert(
      fc.asyncProperty(fc.array(wound, { minLength: 1, maxLength: 6 }), async (wounds) => {
        const bytes = whole.slice();
        for (const [at, value] of wounds) bytes[at] = value;
        const file = new Blob([bytes]);
        try {
          for (const entry of (await readZip(file)).values()) await readEntry(file, entry);
        } catch (error) {
          expect(error).toBeInstanceOf(ZipError);
        }
      }),
    );
  });
});

/** The same with a ZIP64 end, as for files beyond 4 GB. */
async function asZip64(file: Blob): Promise<Blob> {
  const bytes = await file.arrayBuffer();
  const endAt = bytes.byteLength - 22;
  const end = new DataView(bytes, endAt);
  const end64 = new DataView(new ArrayBuffer(56));
  end64.setUint32(0, 0x0606_4b50, true);
  end64.setBigUint64(4, 44n, true);
  end64.setBigUint64(24, 1n, true);
  end64.setBigUint64(32, 1n, true);
  end64.setBigUint64(40, BigInt(end.getUint32(12, true)), true);
  end64.setBigUint64(48, BigInt(end.getUint32(16, true)), true);
  const locator = new DataView(new ArrayBuffer(20));
  locator.setUint32(0, 0x0706_4b50, true);
  locator.setBigUint64(8, BigInt(endAt), true);
  locator.setUint32(16, 1, true);
  end.setUint16(10, 0xffff, true);
  end.setUint32(12, 0xffff_ffff, true);
  end.setUint32(16, 0xffff_ffff, true);
  return new Blob([bytes.slice(0, endAt), end64.buffer, locator.buffer, bytes.slice(endAt)]);
}
