/** Reads the body of an upstream's answer; what goes wrong meanwhile is a fault. */
import { ByteCollector } from '../../lib/bytes/byte-collector.ts';
import type { OutgoingAnswer } from '../../lib/outgoing/outgoing-answer.ts';
import { PieceReader } from '../../lib/outgoing/outgoing-body.ts';
import { brokenAnswer, statedBy, upstreamErrorOf } from './answer-errors.ts';
import { PictureTexts } from './picture-texts.ts';

export class AnswerReader {
  readonly answer: OutgoingAnswer;
  readonly #pieces: PieceReader;

  constructor(answer: OutgoingAnswer) {
    this.answer = answer;
    this.#pieces = new PieceReader(answer.body);
  }

  /** See {@link PieceReader.read}. Whatever fails, the work may have been done and billed. */
  async read(use: (piece: Buffer) => boolean): Promise<boolean> {
    try {
      return await this.#pieces.read(use);
    } catch (error) {
      throw upstreamErrorOf(error, { wasAnswered: true, ...statedBy(this.answer) });
    }
  }

  leave(): Promise<void> {
    return this.#pieces.leave();
  }
}

/** An answer of which something has been read. */
export interface BegunAnswer {
  reader: AnswerReader;
  begun: AnswerBytes;
}

/** The bytes of an answer. More than allowed are a `protocol` fault. */
export class AnswerBytes {
  readonly #answer: OutgoingAnswer;
  readonly #bytesMax: number;
  readonly #pictureTexts: PictureTexts;
  readonly #isAnnounced: boolean;
  readonly #collector: ByteCollector;

  /** @param pictureTexts those of the service */
  constructor(answer: OutgoingAnswer, bytesMax: number, pictureTexts = new PictureTexts()) {
    this.#answer = answer;
    this.#bytesMax = bytesMax;
    this.#pictureTexts = pictureTexts;
    const bytes = announcedBytes(answer);
    this.#isAnnounced = bytes > 0;
    this.#collector = new ByteCollector(bytesMax, bytes);
  }

  add(piece: Buffer): void {
    if (!this.#isAnnounced) this.#pictureTexts.makeRoom(this.#collector, piece.length);
    if (this.#collector.add(piece)) return;
    throw brokenAnswer(this.#answer, `the answer has over ${this.#bytesMax} bytes`);
  }

  take(): Buffer {
    this.#pictureTexts.note(this.#collector.length);
    return this.#collector.take();
  }

  drop(): void {
    this.#collector.drop();
  }
}

/** Reads to the end of the answer. */
export async function readRest({ reader, begun }: BegunAnswer): Promise<Buffer> {
  try {
    await reader.read((piece) => {
      begun.add(piece);
      return true;
    });
    return begun.take();
  } finally {
    begun.drop();
    await reader.leave();
  }
}

/** Only an expectation: a body in another encoding is as long as it gets. */
function announcedBytes({ headers }: OutgoingAnswer): number {
  const { 'content-length': length = '' } = headers;
  return /^\d{1,15}$/.test(length) ? Number(length) : 0;
}
