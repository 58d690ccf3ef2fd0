/** Stripe as far as we use it: pages to pay on, and events signed with its own library. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Stripe } from 'stripe';
import { onTestFinished } from 'vitest';
import { must } from '../../../server/lib/assert.ts';
import { type Answer, answerOf } from '../callers/api.ts';

export const stripeSecrets = {
  stripeSecretKey: 'sk_test_0123456789abcdef',
  stripeWebhookSecret: 'whsec_0123456789abcdef0123456789',
} as const;

export interface OpenedSession {
  id: string;
  paymentIntent: string;
  authorization: string;
  idempotencyKey: string;
  /** What it was asked for, by the names of the form. */
  fields: Readonly<Record<string, string>>;
}

/** As Stripe lists it. */
export interface MadeRefund {
  id: string;
  amount: number;
  status: 'pending' | 'succeeded' | 'failed' | 'canceled';
}

export class StripeService {
  readonly sessions: OpenedSession[] = [];
  /** Of payments by their IDs. Those of others are not shown to our key, which is a restricted one. */
  readonly refunds = new Map<string, readonly MadeRefund[]>();
  readonly #server: Server;
  #beforeAnswer: (session: OpenedSession) => Promise<void> = async () => {};
  #refuses: { status: number; error: object } | null = null;
  #hidesPayments = false;
  #beforeRefunds: () => Promise<void> = async () => {};

  static async start(): Promise<StripeService> {
    const service = new StripeService();
    await new Promise<void>((listening) => {
      service.#server.listen(0, '127.0.0.1', listening);
    });
    return service;
  }

  private constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  get url(): string {
    // It listens on a port, not on a path.
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  get options() {
    return { ...stripeSecrets, stripeApiUrl: this.url };
  }

  /** Runs `work` for the rest of this test when a page was opened, before we hear of it. */
  beforeAnswer(work: (session: OpenedSession) => Promise<void>): void {
    this.#beforeAnswer = work;
    onTestFinished(() => {
      this.#beforeAnswer = async () => {};
    });
  }

  /** Runs `work` for the rest of this test when refunds were listed, before we hear of them. */
  beforeRefunds(work: () => Promise<void>): void {
    this.#beforeRefunds = work;
    onTestFinished(() => {
      this.#beforeRefunds = async () => {};
    });
  }

  /** Refuses everything for the rest of this test; by default as if it did not know who asks. */
  refuseAll(status = 402, error: object = { type: 'api_error', message: 'no such account' }): void {
    this.#refuses = { status, error };
    onTestFinished(() => {
      this.#refuses = null;
    });
  }

  /** Answers for the rest of this test like Stripe to a restricted key that may not read payments. */
  hidePayments(): void {
    this.#hidesPayments = true;
    onTestFinished(() => {
      this.#hidesPayments = false;
    });
  }

  sessionOf(paymentId: string): OpenedSession {
    const found = this.sessions.find(({ fields }) => fields['client_reference_id'] === paymentId);
    return must(found, `the page of ${paymentId}`);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fields = Object.fromEntries(new URLSearchParams(await textOf(request)));
    response.setHeader('content-type', 'application/json');
    if (this.#refuses) {
      response.statusCode = this.#refuses.status;
      response.end(JSON.stringify({ error: this.#refuses.error }));
      return;
    }
    const [, paymentIntent] = /^\/v1\/payment_intents\/(\w+)$/.exec(request.url ?? '') ?? [];
    if (paymentIntent !== undefined) {
      this.#answerPayment(paymentIntent, response);
      return;
    }
    const asked = new URL(request.url ?? '', this.url);
    if (asked.pathname === '/v1/refunds') {
      await this.#answerRefunds(asked.searchParams, response);
      return;
    }
    const session = this.#open(request, fields);
    await this.#beforeAnswer(session);
    const url = `${this.url}/pay/${session.id}`;
    response.end(JSON.stringify({ id: session.id, object: 'checkout.session', url }));
  }

  #answerPayment(id: string, response: ServerResponse): void {
    const session = this.sessions.find(({ paymentIntent }) => paymentIntent === id);
    const ourId = session?.fields['payment_intent_data[metadata][tintype_payment]'];
    const type = 'invalid_request_error';
    if (this.#hidesPayments) {
      response.statusCode = 403;
      response.end(JSON.stringify({ error: { type, message: 'The key may not do this.' } }));
    } else if (id === 'pi_foreign') {
      response.end(JSON.stringify({ id, object: 'payment_intent', metadata: {} }));
    } else if (ourId === undefined) {
      response.statusCode = 404;
      response.end(JSON.stringify({ error: { type, code: 'resource_missing' } }));
    } else {
      const metadata = { tintype_payment: ourId };
      response.end(JSON.stringify({ id, object: 'payment_intent', metadata }));
    }
  }

  /** In pages, of which the first is short. */
  async #answerRefunds(asked: URLSearchParams, response: ServerResponse): Promise<void> {
    const made = this.refunds.get(asked.get('payment_intent') ?? '');
    await this.#beforeRefunds();
    if (made === undefined) {
      response.statusCode = 403;
      const error = { type: 'invalid_request_error', message: 'The key may not do this.' };
      response.end(JSON.stringify({ error }));
      return;
    }
    const last = asked.get('starting_after');
    const data =
      last === null ? made.slice(0, 1) : made.slice(made.findIndex(({ id }) => id === last) + 1);
    const isMore = last === null && made.length > 1;
    response.end(JSON.stringify({ object: 'list', url: '/v1/refunds', data, has_more: isMore }));
  }

  #open({ headers }: IncomingMessage, fields: OpenedSession['fields']): OpenedSession {
    const idempotencyKey = String(headers['idempotency-key']);
    const known = this.sessions.find((session) => session.idempotencyKey === idempotencyKey);
    if (known) return known;
    const number = this.sessions.length + 1;
    const session = {
      id: `cs_test_${number}`,
      paymentIntent: `pi_${number}`,
      authorization: String(headers.authorization),
      idempotencyKey,
      fields,
    };
    this.sessions.push(session);
    return session;
  }
}

/** The page's session as Stripe's events show it. */
export function sessionObject({ id, paymentIntent, fields }: OpenedSession, changes: object = {}) {
  return {
    id,
    object: 'checkout.session',
    mode: 'payment',
    status: 'complete',
    payment_status: 'paid',
    payment_intent: paymentIntent,
    amount_total: Number(fields['line_items[0][price_data][unit_amount]']),
    currency: fields['line_items[0][price_data][currency]'],
    client_reference_id: fields['client_reference_id'],
    metadata: { tintype_payment: fields['metadata[tintype_payment]'] },
    ...changes,
  };
}

export interface SentEvent {
  type: string;
  object: object;
  /** When Stripe made it, in Unix milliseconds. */
  atMs: number;
  /** When it signed it for this try; the same unless it says otherwise. */
  signedAtMs?: number;
  secret?: string;
}

let events = 0;

/** Posts an event as Stripe does. */
export async function sendEvent(
  baseUrl: string,
  { type, object, atMs, signedAtMs = atMs, secret = stripeSecrets.stripeWebhookSecret }: SentEvent,
): Promise<Answer> {
  const timestamp = Math.floor(signedAtMs / 1000);
  const payload = JSON.stringify({
    id: `evt_${++events}`,
    object: 'event',
    api_version: '2026-10-28',
    created: Math.floor(atMs / 1000),
    type,
    data: { object },
  });
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
  return postSigned(`${baseUrl}/webhooks/stripe`, payload, { 'stripe-signature': signature });
}

export async function postSigned(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  return answerOf(
    await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    }),
  );
}

async function textOf(message: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of message) text += String(piece);
  return text;
}
