/** The catalogues of both languages say the same; the compiler sees the keys, not the words. */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const files = readdirSync(new URL('en', import.meta.url)).sort();

it('U80 every catalogue is there in both languages', () => {
  expect(readdirSync(new URL('zh-CN', import.meta.url)).sort()).toEqual(files);
});

/** The English words of kinds of upstreams and of refusals are the server's: `admin-kinds.test.ts` and `service-words.test.ts` compare them. */
const written = files.filter((file) => file !== 'admin-kinds.ts' && file !== 'service.ts');

describe.each(written)('%s', (file) => {
  it('U80 has the same messages, with the same placeholders, in both languages', async () => {
    const english = await messagesOf('en', file);
    const chinese = await messagesOf('zh-CN', file);
    expect([...chinese.keys()].sort()).toEqual([...english.keys()].sort());
    for (const [key, message] of english) {
      expect([key, formOf(chinese.get(key))]).toEqual([key, formOf(message)]);
    }
  });

  it('U80 has no empty message', async () => {
    for (const locale of ['en', 'zh-CN']) {
      for (const [key, message] of await messagesOf(locale, file)) {
        expect([locale, key, message === '']).toEqual([locale, key, false]);
      }
    }
  });
});

type Message = string | number | boolean | null | ((...values: never[]) => unknown);

/** By the way to it: `palette.openTrace`. */
async function messagesOf(locale: string, file: string): Promise<ReadonlyMap<string, Message>> {
  // Catalogues export nothing but objects of messages.
  const module = (await import(`./${locale}/${file}`)) as Record<string, object>;
  return new Map(Object.values(module).flatMap((catalogue) => listMessages(catalogue, '')));
}

function listMessages(catalogue: object, path: string): (readonly [string, Message])[] {
  return Object.entries(catalogue).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null
      ? listMessages(value, `${path}${key}.`)
      : [[`${path}${key}`, value as Message] as const],
  );
}

/** A text names the same places in every language. */
function formOf(message: Message | undefined): unknown {
  if (typeof message !== 'string') return typeof message;
  return [...new Set(message.match(/\{\w+\}/g))].sort();
}
