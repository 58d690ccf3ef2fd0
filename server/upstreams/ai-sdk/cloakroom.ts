/**
 * Keeps the pictures of one call, so that none goes through the AI SDK.
 *
 * The SDK would make JavaScript strings of them: base64 of every reference image it sends, and the
 * whole JSON of every answer it reads. So it gets a short ticket wherever a picture belongs, in the
 * job and in the answers, and our transport exchanges the two on their way out and in.
 */
import { randomBytes } from 'node:crypto';
import { CutString } from '../../lib/bytes/json-cut.ts';
import type { EncodedImage } from '../../lib/pictures/encoded-image.ts';
import { Base64Text, pictureOfText } from '../wire/picture-text.ts';

export class Cloakroom {
  // Nobody outside knows the mark, so no other text looks like a ticket. Hex is base64 too, and
  // all tickets have a length that base64 can have, should somebody look.
  readonly #mark = randomBytes(16).toString('hex');
  readonly #pictures: EncodedImage[] = [];

  /** Takes a picture and gives the ticket for it. */
  take(picture: EncodedImage): string {
    this.#pictures.push(picture);
    return `${this.#mark}${String(this.#pictures.length - 1).padStart(8, '0')}`;
  }

  /** The picture for a ticket; null when the text is none. */
  give(ticket: string): EncodedImage | null {
    if (!ticket.startsWith(this.#mark)) return null;
    return this.#pictures[Number(ticket.slice(this.#mark.length))] ?? null;
  }

  /** Whether there is a ticket in the text. */
  isTicket(text: string): boolean {
    return text.includes(this.#mark);
  }

  /** An answer as the SDK may see it: tickets for its pictures. */
  withTickets(said: unknown): unknown {
    return mapLeaves(said, (leaf) => (leaf instanceof CutString ? this.#ticketFor(leaf) : leaf));
  }

  /** What the SDK wants to send, as it is to go out: pictures for its tickets. */
  withPictures(wish: unknown): unknown {
    return mapLeaves(wish, (leaf) => (typeof leaf === 'string' ? this.#pictureFor(leaf) : leaf));
  }

  #ticketFor({ bytes }: CutString): string {
    const picture = pictureOfText(new CutString(bytes));
    if (!picture) return '';
    const isDataUrl = bytes.toString('latin1', 0, dataScheme.length).toLowerCase() === dataScheme;
    return `${isDataUrl ? inlineHead : ''}${this.take(picture)}`;
  }

  #pictureFor(text: string): unknown {
    const from = text.indexOf(this.#mark);
    const picture = from === -1 ? null : this.give(text.slice(from));
    if (picture?.encoding !== 'raw') return text;
    return new Base64Text(picture.bytes, text.slice(0, from));
  }
}

const dataScheme = 'data:';
const inlineHead = 'data:image/png;base64,';

/** JSON is never deeper than its parser allowed, so this may recurse. */
function mapLeaves(value: unknown, change: (leaf: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((member) => mapLeaves(member, change));
  if (typeof value !== 'object' || value === null || value instanceof CutString) {
    return change(value);
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, mapLeaves(member, change)]),
  );
}
