/** A real mail server on loopback that keeps what it is sent. */
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { beforeAll, onTestFinished } from 'vitest';
import type { Config } from '../../../server/config.ts';
import { localhostCertificate } from './localhost-certificate.ts';

export interface ReceivedMail {
  from: string;
  to: readonly string[];
  /** Whether it came over TLS. */
  secure: boolean;
  /** Who signed in; null when nobody did. */
  user: string | null;
  /** Headers and text, as sent. */
  source: string;
}

export interface MailServerOptions {
  /** `tls` from the first byte, `starttls` on request, or not at all. */
  encryption: 'tls' | 'starttls' | 'none';
  /** Who may send; without it, anybody. */
  account?: { user: string; password: string };
  /** The status with which it refuses every recipient. */
  refuseRecipients?: number;
  /** Called before a message is taken; it is taken when this resolves. */
  beforeTaking?: () => Promise<void>;
}

export interface MailServer {
  port: number;
  mails: readonly ReceivedMail[];
}

/** It lasts as long as the test. */
export async function startMailServer(options: MailServerOptions): Promise<MailServer> {
  const server = await openMailServer(options);
  onTestFinished(() => server.close());
  return server;
}

/**
 * For all tests of a file: the service, which is started after it, is told in its configuration where
 * it is. Returns what it has been sent by now.
 */
export function receiveMails(config: Partial<Config>): () => readonly ReceivedMail[] {
  let mails: readonly ReceivedMail[] = [];
  beforeAll(async () => {
    const server = await openMailServer({ encryption: 'none' });
    mails = server.mails;
    Object.assign(config, { smtpUrl: `smtp://127.0.0.1:${server.port}` });
    return () => server.close();
  });
  return () => mails;
}

/** For several tests, which end it themselves. */
export async function openMailServer(
  options: MailServerOptions,
): Promise<MailServer & { close(): Promise<void> }> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({ ...serverOptions(options), onData: keepIn(mails, options) });
  server.on('error', () => {
    // A client that leaves in the middle of a handshake.
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  // A listening TCP server's address is never a string.
  const { port } = server.server.address() as AddressInfo;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { port, mails, close };
}

function serverOptions({
  encryption,
  account,
  refuseRecipients,
}: MailServerOptions): SMTPServerOptions {
  return {
    ...localhostCertificate,
    secure: encryption === 'tls',
    disabledCommands: encryption === 'starttls' ? [] : ['STARTTLS'],
    authOptional: account === undefined,
    disableReverseLookup: true,
    closeTimeout: 1,
    onAuth: (auth, _session, callback) => {
      if (auth.username === account?.user && auth.password === account?.password) {
        callback(null, { user: auth.username });
      } else callback(new Error(`no such account: ${auth.username} ${auth.password}`));
    },
    onRcptTo: (address, _session, callback) => {
      if (refuseRecipients === undefined) callback();
      else callback(refusal(refuseRecipients, `refused: ${address.address}`));
    },
  };
}

function keepIn(
  mails: ReceivedMail[],
  { beforeTaking }: MailServerOptions,
): NonNullable<SMTPServerOptions['onData']> {
  return (stream, session, callback) => {
    void stream
      .toArray()
      .then(async (pieces: Buffer[]) => {
        await beforeTaking?.();
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          secure: session.secure,
          user: typeof session.user === 'string' ? session.user : null,
          source: Buffer.concat(pieces).toString(),
        });
      })
      // A sender that leaves in the middle of its message is an error too: it has sent nothing.
      .then(() => callback(), callback);
  };
}

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
