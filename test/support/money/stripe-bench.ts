/** Customers who pay by Stripe, and what the service makes of what Stripe reports. */
import { listAuditEntries } from '../../../server/audit/audit-store.ts';
import { readPayments } from '../../../server/flows/reading/read-payments.ts';
import { must } from '../../../server/lib/assert.ts';
import { readWallet } from '../../../server/wallets/wallet-store.ts';
import { checkoutSchema, paymentSchema } from '../../../shared/console/payments.ts';
import { transactionListSchema } from '../../../shared/console/wallet.ts';
import { formatAmount } from '../../../shared/money.ts';
import type { Answer, Api } from '../callers/api.ts';
import { addConsoleUser, type ConsoleUser } from '../console/console-user.ts';
import { exactly } from '../exactly.ts';
import {
  type OpenedSession,
  type StripeService,
  sendEvent,
  sessionObject,
} from './stripe-service.ts';

export const completed = 'checkout.session.completed';

export class StripeBench {
  readonly #api: Api;
  readonly #stripe: StripeService;

  constructor(api: Api, stripe: StripeService) {
    this.#api = api;
    this.#stripe = stripe;
  }

  /** @param atMs when Stripe made the event; now unless given */
  send(type: string, object: object, atMs?: number): Promise<Answer> {
    const { baseUrl, admin } = this.#api.app;
    const nowMs = admin.clock.now();
    return sendEvent(baseUrl, { type, object, atMs: atMs ?? nowMs, signedAtMs: nowMs });
  }

  customer(): Promise<ConsoleUser> {
    return addConsoleUser(this.#api.app, { money: '0' });
  }

  /** The page that a customer is led to. */
  async order({ browser }: ConsoleUser, wanted = '25'): Promise<OpenedSession> {
    const answer = await browser.post('/wallet/payments', { amount: wanted });
    return this.#stripe.sessionOf(exactly(checkoutSchema, answer.body).id);
  }

  async paid(user: ConsoleUser, wanted?: string): Promise<OpenedSession> {
    const session = await this.order(user, wanted);
    await this.send(completed, sessionObject(session));
    return session;
  }

  /** State of the payment and balance of the wallet. */
  async outcome(user: ConsoleUser, session: OpenedSession): Promise<readonly [string, string]> {
    const answer = await user.browser.get(`/wallet/payments/${idOf(session)}`);
    return [exactly(paymentSchema, answer.body).state, await this.balanceOf(user)];
  }

  async balanceOf({ id }: ConsoleUser): Promise<string> {
    return formatAmount(must(await readWallet(this.#api.app.database, id), 'a wallet').balance);
  }

  async historyOf({ browser }: ConsoleUser) {
    return exactly(transactionListSchema, (await browser.get('/wallet/transactions')).body).items;
  }

  /** What was noted of this user's payments, newest first. */
  async auditOf({ id }: ConsoleUser): Promise<readonly string[]> {
    const page = { after: null, limit: 50 };
    const { items } = await listAuditEntries(this.#api.app.database, { subject: id }, page);
    return items.map(({ action }) => action).filter((action) => action.startsWith('payment.'));
  }

  /** What of it an administrator has to look at, and what is missing. */
  async problemsOf({ id }: ConsoleUser): Promise<readonly (string | null)[][]> {
    const page = { after: null, limit: 10 };
    const filter = { userId: id, withProblem: true };
    const { items } = await readPayments(this.#api.app.database, filter, page);
    return items.map(({ payment, missing }) => [payment.problem, formatAmount(missing)]);
  }
}

export function idOf({ fields }: OpenedSession): string {
  return must(fields['client_reference_id'], 'our ID');
}
