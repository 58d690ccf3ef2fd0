/** A passkey as a browser and its device make and use it (WebAuthn, ES256, no attestation). */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

interface Question {
  challenge: string;
}

export interface PasskeyOptions {
  /** Where the browser has the service open. */
  origin: string;
  /** Whether the device asked for a face, a finger or a PIN. */
  isVerified?: boolean;
  /** Certificates of its maker, the device's first, which nobody asked for. */
  madeBy?: readonly Buffer[];
}

const userPresent = 0x01;
const userVerified = 0x04;
const attested = 0x40;

export class SoftwarePasskey {
  readonly id = randomBytes(16);
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;
  /** Whom it was made for; the device gives it back. */
  userHandle = '';
  counter = 0;

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#privateKey = privateKey;
    this.#publicKey = publicKey;
  }

  /** What the browser answers to the question for a new passkey. */
  register(question: object, options: PasskeyOptions): object {
    // Both fields are the standard's.
    const { challenge, user } = question as Question & { user: { id: string } };
    this.userHandle = user.id;
    const authData = Buffer.concat([
      this.#authenticatorData(options, attested),
      Buffer.alloc(16),
      uint16(this.id.length),
      this.id,
      this.#coseKey(),
    ]);
    const attestationObject = Buffer.concat([
      Buffer.from([0xa3]),
      ...attestation(options.madeBy),
      cborText('authData'),
      cborBytes(authData),
    ]);
    return this.#credential({
      clientDataJSON: clientData('webauthn.create', challenge, options).toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal'],
    });
  }

  /** What the browser answers to the question for a passkey. */
  use(question: object, options: PasskeyOptions): object {
    // As above.
    const { challenge } = question as Question;
    this.counter++;
    const authenticatorData = this.#authenticatorData(options, 0);
    const clientDataJSON = clientData('webauthn.get', challenge, options);
    const signed = Buffer.concat([authenticatorData, sha256(clientDataJSON)]);
    return this.#credential({
      clientDataJSON: clientDataJSON.toString('base64url'),
      authenticatorData: authenticatorData.toString('base64url'),
      signature: sign('sha256', signed, this.#privateKey).toString('base64url'),
      userHandle: this.userHandle,
    });
  }

  #credential(response: object): object {
    const id = this.id.toString('base64url');
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  #authenticatorData({ origin, isVerified = true }: PasskeyOptions, flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const allFlags = userPresent | (isVerified ? userVerified : 0) | flags;
    const rpIdHash = sha256(Buffer.from(new URL(origin).hostname));
    return Buffer.concat([rpIdHash, Buffer.from([allFlags]), counter]);
  }

  /** EC2, ES256, P-256 in CBOR. */
  #coseKey(): Buffer {
    const { x = '', y = '' } = this.#publicKey.export({ format: 'jwk' });
    return Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
      cborBytes(Buffer.from(x, 'base64url')),
      Buffer.from([0x22]),
      cborBytes(Buffer.from(y, 'base64url')),
    ]);
  }
}

/** Signed by nobody: that is looked at last. */
function attestation(madeBy: readonly Buffer[] | undefined): readonly Buffer[] {
  if (!madeBy) return [cborText('fmt'), cborText('none'), cborText('attStmt'), Buffer.from([0xa0])];
  return [
    cborText('fmt'),
    cborText('packed'),
    cborText('attStmt'),
    Buffer.concat([Buffer.from([0xa3]), cborText('alg'), Buffer.from([0x26])]),
    Buffer.concat([cborText('sig'), cborBytes(Buffer.alloc(70))]),
    Buffer.concat([cborText('x5c'), Buffer.from([0x80 + madeBy.length]), ...madeBy.map(cborBytes)]),
  ];
}

function clientData(type: string, challenge: string, { origin }: PasskeyOptions): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);
}

function cborBytes(bytes: Buffer): Buffer {
  const isShort = bytes.length < 256;
  const head = isShort
    ? Buffer.from([0x58, bytes.length])
    : Buffer.concat([Buffer.from([0x59]), uint16(bytes.length)]);
  return Buffer.concat([head, bytes]);
}
