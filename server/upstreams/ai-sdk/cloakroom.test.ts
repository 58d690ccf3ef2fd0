import { expect, it } from 'vitest';
import { joinedBody } from '../../../test/support/callers/joined-body.ts';
import { CutString } from '../../lib/bytes/json-cut.ts';
import { jsonBody } from '../wire/picture-text.ts';
import { Cloakroom } from './cloakroom.ts';

const bytes = Buffer.from('the bytes of a picture');

it('gives a picture back for its ticket, and nothing for other texts', () => {
  const cloakroom = new Cloakroom();
  const first = cloakroom.take({ encoding: 'raw', bytes });
  const second = cloakroom.take({ encoding: 'raw', bytes: Buffer.alloc(1) });
  expect(first).not.toBe(second);
  expect(cloakroom.give(first)).toEqual({ encoding: 'raw', bytes });
  expect(cloakroom.give(new Cloakroom().take({ encoding: 'raw', bytes }))).toBeNull();
  expect(cloakroom.give('')).toBeNull();
});

it('gives tickets that could be base64', () => {
  const ticket = new Cloakroom().take({ encoding: 'raw', bytes });
  expect(ticket).toMatch(/^[0-9a-f]+$/);
  expect(ticket.length % 4).toBe(0);
});

it('exchanges the tickets in what is sent, alone and in data URLs', () => {
  const cloakroom = new Cloakroom();
  const ticket = cloakroom.take({ encoding: 'raw', bytes });
  const wish = { image: ticket, urls: [`data:image/jpeg;base64,${ticket}`], prompt: 'a fox' };
  expect(JSON.parse(joinedBody(jsonBody(cloakroom.withPictures(wish))).toString())).toEqual({
    image: bytes.toString('base64'),
    urls: [`data:image/jpeg;base64,${bytes.toString('base64')}`],
    prompt: 'a fox',
  });
});

it('exchanges the pictures in an answer, alone and in data URLs', () => {
  const cloakroom = new Cloakroom();
  const text = (value: string) => new CutString(Buffer.from(value));
  const said = { images: [text('AAAA')], output: text('data:image/webp;base64,BBBB'), seed: 7 };
  const seen = JSON.stringify(cloakroom.withTickets(said));
  expect(seen).not.toMatch(/AAAA|BBBB/);
  const [, alone = '', inline = ''] =
    /^\{"images":\["(\w+)"\],"output":"data:image\/png;base64,(\w+)","seed":7\}$/.exec(seen) ?? [];
  expect(cloakroom.give(alone)).toEqual({ encoding: 'base64', ascii: Buffer.from('AAAA') });
  expect(cloakroom.give(inline)).toEqual({ encoding: 'base64', ascii: Buffer.from('BBBB') });
});

it('has nothing for a long text that is no picture', () => {
  const said = { note: new CutString(Buffer.from('data:text/plain,hello')) };
  expect(new Cloakroom().withTickets(said)).toEqual({ note: '' });
});
