import type { CatalogCache } from '../../catalog/catalog-cache.ts';
import type { Database } from '../../db/db.ts';
import type { UpstreamLanes } from '../../flows/reading/read-upstreams.ts';
import type { ModelPaces } from '../../flows/requests/attempts/model-paces.ts';
import type { LinkPost } from '../../flows/sign-in/identity-mail.ts';
import type { UpstreamAccess } from '../../flows/upstreams/ask-upstream.ts';
import type { OutsideIssuer } from '../../identity/outside-issuer.ts';
import type { PasswordHasher } from '../../identity/password-hasher.ts';
import type { QuestionLimit } from '../../identity/question-limit.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/logger.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import type { StripeGateway } from '../../payments/stripe-gateway.ts';
import type { SettingsCache } from '../../settings/settings-cache.ts';
import type { ImageRouteDeps } from '../v1/image-route.ts';

/** What the console's routes work with. A route takes what it uses. */
export interface ConsoleDeps {
  database: Database;
  clock: Clock;
  log: Logger;
  catalog: CatalogCache;
  settings: SettingsCache;
  upstreamAccess: UpstreamAccess;
  /** Seals the secrets of authenticators. */
  secretBox: SecretBox;
  hasher: PasswordHasher;
  /** Bounds what is written for those who are not signed in. */
  questions: QuestionLimit;
  /** The OpenID issuer; null without one. */
  issuer: OutsideIssuer | null;
  /** Null where no mail can be sent. */
  linkPost: LinkPost | null;
  /** Null where users cannot pay by Stripe. */
  stripe: StripeGateway | null;
  /** What this process is doing with each upstream. */
  lanes: UpstreamLanes;
  /** How long pictures take. */
  paces: ModelPaces;
  /** For pictures made in the playground. */
  images: ImageRouteDeps;
  options: ConsoleOptions;
}

/** Start options that the console shows or obeys. */
export interface ConsoleOptions {
  /** The word in new API keys. */
  keyPrefix: string;
  /** Where browsers reach the service, if the operator said so: `https://images.example.com`. */
  publicUrl: string | null;
  version: string;
  /** What the OpenID provider is called; null without one. */
  oidcName: string | null;
  sendsMail: boolean;
  /** How many proxies in front of it may name the client's address. */
  trustedProxies: number;
}
