import { OutgoingError } from '../../server/lib/outgoing/guarded-http.ts';
import type { OutgoingAnswer } from '../../server/lib/outgoing/outgoing-answer.ts';

export interface GivenAnswer extends OutgoingAnswer {
  /** Whether the body was left before its end, or never read. */
  wasLeft(): boolean;
  /** Whether the connection was to be kept, if the rest of it comes soon. */
  wasLetEnd(): boolean;
}

/** An answer as it comes from the guarded HTTP, from pieces; an error among them breaks it off. */
export function givenAnswer(
  pieces: readonly (Buffer | string | OutgoingError)[],
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): GivenAnswer {
  let wasRead = false;
  let wasLetEnd = false;
  async function* body(): AsyncGenerator<Buffer, void, void> {
    for (const piece of pieces) {
      if (piece instanceof OutgoingError) throw piece;
      yield Buffer.from(piece);
    }
    wasRead = true;
  }
  const letEnd = () => {
    wasLetEnd = true;
  };
  return {
    status,
    headers,
    body: Object.assign(body(), { letEnd }),
    discard: () => {},
    wasLeft: () => !wasRead,
    wasLetEnd: () => wasLetEnd,
  };
}
