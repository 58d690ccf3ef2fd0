/**
 * The console's JSON API: routes described by their schemas, so that checking, presenting, the
 * OpenAPI document and the browser's types come from one place.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Right } from '../../accounts/rights.ts';
import type { Role } from '../../accounts/user.ts';
import type { ConsoleDeps } from './console-deps.ts';

/** Whoever is signed in, by a session's cookie or an access token. */
export interface Viewer {
  userId: string;
  email: string;
  role: Role;
  /** Null for an access token, which cannot do what asks for a proof of presence. */
  sessionId: string | null;
}

export interface ConsoleCall<P, Q, B> {
  request: FastifyRequest;
  reply: FastifyReply;
  params: P;
  query: Q;
  body: B;
}

type Nothing = z.ZodUndefined;

/** What belongs to one user and has an address. */
export const ownedThings = [
  'access_token',
  'api_key',
  'passkey',
  'payment',
  'session',
  'transaction',
  'usage_record',
] as const;
export type OwnedThing = (typeof ownedThings)[number];

interface RouteDescription<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends z.ZodType,
> {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Behind `/api/console`. */
  path: string;
  /** For the OpenAPI document. */
  summary: string;
  params?: P;
  query?: Q;
  body?: B;
  /** Names every field that leaves: what is not in it is not sent. */
  answer: A;
  /** What it speaks where that is not JSON: it gives a table, or it takes what `/v1` takes. */
  form?: 'csv' | 'generation' | 'edit';
  /**
   * Which parameters of the address name a thing that belongs to somebody. A test asks every route
   * for the things of somebody else, and fails for a parameter that is not named here.
   */
  owned?: Readonly<Record<string, OwnedThing>>;
  /** A body that the route accepts, for the same test. */
  sampleBody?: z.input<B>;
}

/** A route for whoever has a right. */
export type SignedInRoute<
  P extends z.ZodType = Nothing,
  Q extends z.ZodType = Nothing,
  B extends z.ZodType = Nothing,
  A extends z.ZodType = z.ZodType,
> = RouteDescription<P, Q, B, A> & {
  right: Right;
  /** Whether the password or passkey must have been shown a short while ago. */
  isDelicate?: true;
  /** The same, where that depends on what is asked for, and of whom. */
  delicateWhen?(
    call: Pick<ConsoleCall<z.output<P>, z.output<Q>, z.output<B>>, 'params' | 'body'>,
    deps: ConsoleDeps,
  ): boolean | Promise<boolean>;
  handle(
    call: ConsoleCall<z.output<P>, z.output<Q>, z.output<B>> & { viewer: Viewer },
    deps: ConsoleDeps,
  ): Promise<z.input<A>>;
};

/** A route that answers everybody alike: signing in, and what comes before it. */
export type PublicRoute<
  P extends z.ZodType = Nothing,
  Q extends z.ZodType = Nothing,
  B extends z.ZodType = Nothing,
  A extends z.ZodType = z.ZodType,
> = RouteDescription<P, Q, B, A> & {
  right: 'anyone';
  handle(
    call: ConsoleCall<z.output<P>, z.output<Q>, z.output<B>> & { viewer: Viewer | null },
    deps: ConsoleDeps,
  ): Promise<z.input<A>>;
};

/** A route whose types were checked where it was written and no longer matter. */
export type ConsoleRoute = (
  | SignedInRoute<z.ZodType, z.ZodType, z.ZodType>
  | PublicRoute<z.ZodType, z.ZodType, z.ZodType>
) & { readonly checked: true };

export function signedInRoute<
  P extends z.ZodType = Nothing,
  Q extends z.ZodType = Nothing,
  B extends z.ZodType = Nothing,
  A extends z.ZodType = z.ZodType,
>(route: SignedInRoute<P, Q, B, A>): ConsoleRoute {
  // The server parses with the route's own schemas before it calls `handle`.
  return { ...route, checked: true } as unknown as ConsoleRoute;
}

export function publicRoute<
  P extends z.ZodType = Nothing,
  Q extends z.ZodType = Nothing,
  B extends z.ZodType = Nothing,
  A extends z.ZodType = z.ZodType,
>(route: PublicRoute<P, Q, B, A>): ConsoleRoute {
  // As above.
  return { ...route, checked: true } as unknown as ConsoleRoute;
}
