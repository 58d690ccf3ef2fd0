import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { assert } from './assert.ts';
import { OperatorError } from './operator-error.ts';

const version = 'v1';
const cipher = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;
const keyIdChars = 12;

export const masterKeyBytes = 32;

/**
 * Seals small secrets for the database with AES-256-GCM. A sealed text names the key that made it
 * and is bound to its row, so that a wrong key is told from a damaged text, and a text moved to
 * another row does not open. Its errors complete a sentence that names the secret: "…: it was sealed".
 */
export class SecretBox {
  /** Names the key without giving it away. */
  readonly keyId: string;
  readonly #key: Buffer;
  readonly #keep: () => void;

  /** @param keep called before anything is sealed, for a key that was made just now: without it nothing opens again */
  constructor(masterKey: Buffer, keep: () => void = () => {}) {
    assert(masterKey.length === masterKeyBytes, `a master key has ${masterKeyBytes} bytes`);
    this.#key = masterKey;
    this.#keep = keep;
    this.keyId = createHmac('sha256', masterKey)
      .update('tintype key id')
      .digest('hex')
      .slice(0, keyIdChars);
  }

  /** @param rowId the row the sealed text will stand in */
  seal(secret: string, rowId: string): string {
    this.#keep();
    const iv = randomBytes(ivBytes);
    const encryption = createCipheriv(cipher, this.#key, iv);
    encryption.setAAD(associatedData(this.keyId, rowId));
    const text = Buffer.concat([encryption.update(secret, 'utf8'), encryption.final()]);
    const sealed = Buffer.concat([iv, encryption.getAuthTag(), text]);
    return [version, this.keyId, sealed.toString('base64url')].join('.');
  }

  /** Whether it was sealed with this key; it may be damaged for all that. */
  hasSealed(sealed: string): boolean {
    return sealed.startsWith(`${version}.${this.keyId}.`);
  }

  /** @param rowId as it was sealed */
  open(sealed: string, rowId: string): string {
    const [textVersion, keyId = '', body = ''] = sealed.split('.');
    if (textVersion !== version) {
      throw new OperatorError('it is not sealed in a form that this version reads');
    }
    if (keyId !== this.keyId) {
      throw new OperatorError(
        `it was sealed with another secret key (${keyId}; this process has ${this.keyId}): start ` +
          'with the key that sealed it, or enter it again',
      );
    }
    return this.#decrypt(Buffer.from(body, 'base64url'), rowId);
  }

  /**
   * What may be kept to know a text again. Nobody without the key can tell from it even whether a guess is right, as a
   * plain hash would.
   */
  mark(text: string): string {
    const mac = createHmac('sha256', this.#key).update('tintype mark ').update(text);
    return [version, this.keyId, mac.digest('hex')].join('.');
  }

  /** Null when another key made the mark, or none. */
  isMarkOf(mark: string, text: string): boolean | null {
    return this.hasSealed(mark) ? mark === this.mark(text) : null;
  }

  #decrypt(body: Buffer, rowId: string): string {
    try {
      const decryption = createDecipheriv(cipher, this.#key, body.subarray(0, ivBytes), {
        authTagLength: tagBytes,
      });
      decryption.setAAD(associatedData(this.keyId, rowId));
      decryption.setAuthTag(body.subarray(ivBytes, ivBytes + tagBytes));
      const text = body.subarray(ivBytes + tagBytes);
      return Buffer.concat([decryption.update(text), decryption.final()]).toString('utf8');
    } catch (error) {
      throw new OperatorError(
        'its sealed form was damaged or belongs to another row: enter it again',
        { cause: error },
      );
    }
  }
}

function associatedData(keyId: string, rowId: string): Buffer {
  return Buffer.from(`${version}.${keyId}.${rowId}`, 'utf8');
}
