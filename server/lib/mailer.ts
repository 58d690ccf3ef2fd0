/**
 * Sends e-mail through the operator's own mail server. The only place that speaks SMTP; the library
 * that does is loaded with the first message, so that whoever sends none does not carry it.
 */
import { isIP } from 'node:net';
import type { SMTPTransportOptions } from 'nodemailer/lib/smtp-transport';
import type { Language } from '../../shared/languages.ts';
import type { Clock } from './clock.ts';
import { startDeadline } from './deadline.ts';

export interface Mailer {
  /** @param signal lets go of the message and of the connection, whatever the server has of it */
  send(message: MailMessage, signal?: AbortSignal): Promise<MailOutcome>;
}

export interface MailMessage {
  to: string;
  /** Of the text, for programs that read it aloud or offer to translate it. */
  language: Language;
  subject: string;
  text: string;
  /** Where an answer goes; by default to the sender. */
  replyTo?: string;
  /** What the message is known by: mail programs show one of several with the same only once. */
  id: string;
}

/** A reason names what failed in our own words and codes; it never quotes the mail server. */
export type MailOutcome =
  | { kind: 'sent' }
  /** @param isFinal the server will not take mail for this recipient, however often it is asked */
  | { kind: 'failed'; reason: string; isFinal: boolean };

export interface MailerOptions {
  /** `smtps://user:password@host:465`, or `smtp://…`, which changes to TLS by STARTTLS. */
  url: string;
  /** `billing@example.com` or `Name <billing@example.com>`. */
  from: string;
  /**
   * Of one message with all that is said for it. A server may look for viruses and spam before it takes
   * what it has: who does not wait for that, and sends the same again, sends it twice. RFC 1047.
   */
  timeoutMs: number;
  /** Told of each message, however often the same is sent. */
  onOutcome?: (outcome: MailOutcome) => void;
}

const connectTimeoutMs = 10_000;
const greetingTimeoutMs = 20_000;

export function createMailer(options: MailerOptions, clock: Clock): Mailer {
  const post = openPost(options, clock);
  return {
    send: async (message, signal) => {
      const outcome = await post(message, signal);
      options.onOutcome?.(outcome);
      return outcome;
    },
  };
}

function openPost({ url, from, timeoutMs }: MailerOptions, clock: Clock): Mailer['send'] {
  const options = transportOptions(new URL(url), timeoutMs);
  const domain = /@([^\s<>@]+)>?$/.exec(from)?.[1] ?? 'localhost';
  return async ({ to, language, subject, text, replyTo, id }, signal) => {
    const { createTransport } = await import('nodemailer');
    const transport = createTransport(options);
    const deadline = startDeadline(clock, timeoutMs);
    try {
      await transport.sendMail({
        from,
        // An address object, because a list in a text would be several recipients.
        to: { name: '', address: to },
        ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
        subject,
        text,
        messageId: `<${id}@${domain}>`,
        // So that no holiday note answers.
        headers: { 'auto-submitted': 'auto-generated', 'content-language': language },
        signal: signal ? AbortSignal.any([deadline.signal, signal]) : deadline.signal,
      });
      return { kind: 'sent' };
    } catch (error) {
      return { kind: 'failed', ...describe(deadline.signal.aborted ? late : error) };
    } finally {
      deadline.end();
      transport.close();
    }
  };
}

export function isSmtpUrl(text: string): boolean {
  const url = URL.parse(text);
  if (!url || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '') return false;
  // What follows the host means nothing, and would be passed over without a word.
  if (!['', '/'].includes(url.pathname) || url.search !== '' || url.hash !== '') return false;
  return isDecodable(url.username) && isDecodable(url.password);
}

/** `billing@example.com` or `Name <billing@example.com>`. */
export function isSender(text: string): boolean {
  return /^(?:[^\s<>@,]+@[^\s<>@,]+|[^<>@,\p{Cc}]+ <[^\s<>@,]+@[^\s<>@,]+>)$/u.test(text);
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function transportOptions(
  { protocol, hostname, port, username, password }: URL,
  timeoutMs: number,
) {
  const host = hostname.replace(/^\[|\]$/g, '');
  const secure = protocol === 'smtps:';
  return {
    host,
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    // Nobody on the way may talk us out of it. Inside this machine there is nobody on the way.
    requireTLS: !secure && !isLoopback(host),
    ignoreTLS: !secure && isLoopback(host),
    ...(username !== '' && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    }),
    connectionTimeout: connectTimeoutMs,
    dnsTimeout: connectTimeoutMs,
    greetingTimeout: greetingTimeoutMs,
    socketTimeout: timeoutMs,
    // Contents are ours alone; nothing in them is a file or an address to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  } satisfies SMTPTransportOptions;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** As the library says it of a server that is silent. */
const late = { code: 'ETIMEDOUT' };

function describe(error: unknown): { reason: string; isFinal: boolean } {
  const { code, responseCode, command } = detailsOf(error);
  const answered = responseCode === null ? '' : `, the mail server answered ${responseCode}`;
  return {
    reason: `${code ?? 'the message could not be sent'}${answered}`,
    isFinal: command === 'RCPT TO' && responseCode !== null && responseCode >= 500,
  };
}

function detailsOf(error: unknown) {
  // The library's errors carry these three; each is checked for what it is.
  const { code, responseCode, command } = (error ?? {}) as Record<string, unknown>;
  return {
    code: typeof code === 'string' && /^[A-Z_]+$/.test(code) ? code : null,
    responseCode: typeof responseCode === 'number' ? responseCode : null,
    command: typeof command === 'string' ? command : null,
  };
}
