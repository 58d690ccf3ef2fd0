/** PostgreSQL's wire protocol as far as a proxy needs it: whole messages, and statements in them. */

export interface Message {
  /** One letter; empty for the first message of a client, which has none. */
  type: string;
  /** The whole message as it is sent. */
  bytes: Buffer;
  content: Buffer;
}

const lengthBytes = 4;

/** Cuts a stream of bytes into messages. */
export class MessageReader {
  #rest = Buffer.alloc(0);
  #startup: boolean;

  /** @param hasStartup whether the stream begins with the message that has no type */
  constructor({ hasStartup }: { hasStartup: boolean }) {
    this.#startup = hasStartup;
  }

  read(bytes: Buffer): Message[] {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    const messages: Message[] = [];
    for (let next = this.#next(); next; next = this.#next()) messages.push(next);
    return messages;
  }

  #next(): Message | null {
    const head = this.#startup ? 0 : 1;
    if (this.#rest.length < head + lengthBytes) return null;
    const end = head + this.#rest.readUInt32BE(head);
    if (this.#rest.length < end) return null;
    const bytes = this.#rest.subarray(0, end);
    this.#rest = this.#rest.subarray(end);
    this.#startup = false;
    const type = bytes.subarray(0, head).toString('latin1');
    return { type, bytes, content: bytes.subarray(head + lengthBytes) };
  }
}

/** Names the statement that each message of a client is about to run. */
export class StatementReader {
  readonly #messages = new MessageReader({ hasStartup: true });
  /** The text of the prepared statement without a name. */
  #unnamed = '';

  /** `statement` is null for a message that runs none. */
  read(bytes: Buffer): { message: Buffer; statement: string | null }[] {
    return this.#messages
      .read(bytes)
      .map((message) => ({ message: message.bytes, statement: this.#statementOf(message) }));
  }

  #statementOf({ type, content }: Message): string | null {
    const [first = '', second = ''] = content.toString('utf8').split('\0', 2);
    switch (type) {
      // Query: the text.
      case 'Q':
        return first;
      // Parse: the name of the statement, its text.
      case 'P':
        if (first === '') this.#unnamed = second;
        return null;
      // Bind: the name of the portal, that of the statement.
      case 'B':
        return second === '' ? this.#unnamed : second;
      default:
        return null;
    }
  }
}
