import type { OutgoingBody } from './outgoing-body.ts';

export interface OutgoingAnswer {
  status: number;
  /** By lower-case name. */
  headers: Readonly<Record<string, string>>;
  /**
   * The body, decompressed, in the pieces it came in; may be read once, and must be read or
   * discarded, because its connection is taken until then. Leaving the loop closes the
   * connection; a cut, a silence and a compression that lies throw an {@link OutgoingError}.
   */
  body: OutgoingBody;
  /** Closes the connection without reading. */
  discard(): void;
}
