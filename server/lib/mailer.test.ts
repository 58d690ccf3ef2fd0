import { once } from 'node:events';
import { type AddressInfo, createServer, Socket } from 'node:net';
import tls from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { localhostCertificate } from '../../test/support/services/localhost-certificate.ts';
import { startMailServer } from '../../test/support/services/mail-server.ts';
import { readMail } from '../../test/support/services/read-mail.ts';
import { createMailer, isSender, isSmtpUrl, type MailMessage } from './mailer.ts';

const account = { user: 'tin@example.com', password: 'hunter2/@:%' };
const signedIn = `${encodeURIComponent(account.user)}:${encodeURIComponent(account.password)}@`;
const timeoutMs = 240_000;
const message: MailMessage = {
  to: 'alice@example.com',
  language: 'en',
  subject: 'Über 5 €',
  text: 'Zwölf\n',
  id: 'ntc_1',
};

const authorities = tls.getCACertificates('default');
beforeAll(() => tls.setDefaultCACertificates([...authorities, localhostCertificate.cert]));
afterAll(() => tls.setDefaultCACertificates(authorities));

function send(url: string, changes: Partial<MailMessage> = {}, clock = new ManualClock()) {
  return createMailer({ url, from: 'Images <billing@example.com>', timeoutMs }, clock).send({
    ...message,
    ...changes,
  });
}

describe('a message arrives', () => {
  it('over TLS, from an account, with everything in it', async () => {
    const server = await startMailServer({ encryption: 'tls', account });
    expect(await send(`smtps://${signedIn}localhost:${server.port}`)).toEqual({ kind: 'sent' });
    expect(server.mails).toMatchObject([
      {
        from: 'billing@example.com',
        to: ['alice@example.com'],
        secure: true,
        user: account.user,
      },
    ]);
    const source = server.mails[0]?.source ?? '';
    expect(source).toContain('From: Images <billing@example.com>\r\n');
    expect(source).toContain('To: alice@example.com\r\n');
    expect(source).toContain('Message-ID: <ntc_1@example.com>\r\n');
    expect(source).toMatch(/auto-submitted: auto-generated\r\n/i);
    expect(source).toContain('Zw=C3=B6lf');
    expect(source).toMatch(/content-language: en\r\n/i);
  });

  it('in any language, its subject in the ASCII that headers are made of', async () => {
    const server = await startMailServer({ encryption: 'none' });
    const subject = '您在 “Studio – 图片” 的余额不足，仅剩 ¥4.90：'.repeat(3);
    const text = '您好，\n余额不足。\n';
    await send(`smtp://127.0.0.1:${server.port}`, { language: 'zh-CN', subject, text });
    const source = server.mails[0]?.source ?? '';
    expect(source.slice(0, source.indexOf('\r\n\r\n'))).toMatch(/^[\t\r\n -~]*$/);
    const mail = readMail(source);
    expect(mail.headers.get('subject')).toBe(subject);
    expect(mail.headers.get('content-language')).toBe('zh-CN');
    expect(mail.text).toBe(text);
  });

  it('over a connection that changes to TLS, from an account', async () => {
    const server = await startMailServer({ encryption: 'starttls', account });
    // Not a loopback address by its number, so TLS is asked for.
    expect(await send(`smtp://${signedIn}0.0.0.0:${server.port}`)).toEqual({ kind: 'sent' });
    expect(server.mails).toMatchObject([{ secure: true, user: account.user }]);
  });

  it('without TLS inside this machine', async () => {
    const server = await startMailServer({ encryption: 'none' });
    expect(await send(`smtp://127.0.0.1:${server.port}`)).toEqual({ kind: 'sent' });
    expect(await send(`smtp://localhost:${server.port}`)).toEqual({ kind: 'sent' });
    expect(server.mails).toMatchObject([
      { secure: false, user: null },
      { secure: false, user: null },
    ]);
  });

  it('at nobody but its recipient, whatever their address looks like', async () => {
    const server = await startMailServer({ encryption: 'none' });
    const to = 'alice@example.com, eve@example.com';
    await send(`smtp://127.0.0.1:${server.port}`, { to });
    expect(server.mails.flatMap((mail) => mail.to)).not.toContain('eve@example.com');
  });
});

describe('a mail server whose port nobody named', () => {
  it.each([
    ['smtps://127.0.0.1', 465],
    ['smtp://127.0.0.1', 587],
    ['smtp://[::1]', 587],
  ])('%s is asked at %i', async (url, port) => {
    const connect = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (
      this: Socket,
    ) {
      return this.destroy(new Error('nobody is there'));
    });
    onTestFinished(() => connect.mockRestore());
    expect(await send(url)).toMatchObject({ kind: 'failed', isFinal: false });
    const host = url.includes('::') ? '::1' : '127.0.0.1';
    expect(connect.mock.calls.flat(2)).toContainEqual(expect.objectContaining({ host, port }));
  });
});

describe('a message that the server has', () => {
  it('is waited for as long as a message may take, so that it does not come twice', async () => {
    const server = await startMailServer({ encryption: 'none' });
    const patience = vi.spyOn(Socket.prototype, 'setTimeout');
    onTestFinished(() => patience.mockRestore());
    expect(await send(`smtp://127.0.0.1:${server.port}`)).toEqual({ kind: 'sent' });
    expect(patience).toHaveBeenCalledWith(timeoutMs);
  });
});

describe('a message does not leave', () => {
  it('over the network without TLS, and no password either', async () => {
    const server = await startMailServer({ encryption: 'none', account });
    const outcome = await send(`smtp://${signedIn}0.0.0.0:${server.port}`);
    expect(outcome).toMatchObject({ kind: 'failed', reason: expect.stringContaining('ETLS') });
    expect(server.mails).toEqual([]);
  });

  it('to a server whose certificate nobody vouches for', async () => {
    tls.setDefaultCACertificates(authorities);
    const server = await startMailServer({ encryption: 'tls' });
    const outcome = await send(`smtps://localhost:${server.port}`);
    tls.setDefaultCACertificates([...authorities, localhostCertificate.cert]);
    expect(outcome).toMatchObject({ kind: 'failed', isFinal: false });
    expect(server.mails).toEqual([]);
  });
});

describe('a failure', () => {
  it('for a recipient whom the server does not take is final', async () => {
    const server = await startMailServer({ encryption: 'none', refuseRecipients: 550 });
    expect(await send(`smtp://127.0.0.1:${server.port}`)).toEqual({
      kind: 'failed',
      reason: 'EENVELOPE, the mail server answered 550',
      isFinal: true,
    });
  });

  it('for a recipient whom the server does not take yet is not', async () => {
    const server = await startMailServer({ encryption: 'none', refuseRecipients: 450 });
    expect(await send(`smtp://127.0.0.1:${server.port}`)).toMatchObject({ isFinal: false });
  });

  it('of the account is mended by somebody, and says nothing of the password', async () => {
    const server = await startMailServer({ encryption: 'tls', account });
    expect(await send(`smtps://tin:hunter2@localhost:${server.port}`)).toEqual({
      kind: 'failed',
      reason: 'EAUTH, the mail server answered 535',
      isFinal: false,
    });
  });

  it('of a server that talks without end comes when the time is over, which ends the connection', async () => {
    const { server, port } = await startTalker();
    const clock = new ManualClock();
    const connecting = new Promise<Socket>((connected) => server.on('connection', connected));
    const sending = send(`smtp://127.0.0.1:${port}`, {}, clock);
    const socket = await connecting;
    const leaving = new Promise((left) => socket.on('close', left));
    clock.advance(timeoutMs);
    expect(await sending).toEqual({ kind: 'failed', reason: 'ETIMEDOUT', isFinal: false });
    await leaving;
  });
});

/** A mail server whose answer to the first command has no end. */
async function startTalker() {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.write('220 ready\r\n');
    socket.once('data', () => {
      const talking = setInterval(() => socket.write('250-there is more\r\n'), 10);
      socket.on('close', () => clearInterval(talking));
    });
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // A listening TCP server's address is never a string.
  const { port } = server.address() as AddressInfo;
  return { server, port };
}

describe('what operators write', () => {
  it.each([
    ['smtps://user:pass@mail.example.com:465', true],
    ['smtp://mail.example.com', true],
    ['smtp://[::1]:25/', true],
    ['smtps://us%40er:p%2Fss@mail.example.com', true],
    ['smtps://us%er:pass@mail.example.com', false],
    ['smtps://mail.example.com?secure=false', false],
    ['smtps://mail.example.com/in', false],
    ['smtps://mail.example.com#in', false],
    ['smtps://user:pa%ss@mail.example.com', false],
    ['smtps://', false],
    ['https://mail.example.com', false],
    ['mail.example.com', false],
  ])('%s: a mail server? %s', (text, expected) => {
    expect(isSmtpUrl(text)).toBe(expected);
  });

  it.each([
    ['billing@example.com', true],
    ['Images <billing@example.com>', true],
    ['Bilder & mehr <billing@example.com>', true],
    ['a@example.com, b@example.com', false],
    ['Images <billing@example.com>\r\nBcc: eve@example.com', false],
    ['Images', false],
  ])('%j: a sender? %s', (text, expected) => {
    expect(isSender(text)).toBe(expected);
  });
});
