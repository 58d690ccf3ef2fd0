/**
 * The connections of a guarded HTTP that undici opens: kept to the service's own origins, guarded to all others. Only
 * loaded where there are any: it is the largest of our libraries.
 */
import { Agent, buildConnector, type Dispatcher, Pool, ProxyAgent, type WebSocket } from 'undici';
import {
  connectTimeoutMs,
  findAddresses,
  NotPublicError,
  type ResolveHost,
} from './guarded-address.ts';
import { guardConnections } from './guarded-connect.ts';
import { exchange } from './guarded-http-exchange.ts';
import { openSocket, type SocketOptions } from './guarded-http-socket.ts';
import type { OutgoingAnswer } from './outgoing-answer.ts';
import { notConnected, OutgoingError } from './outgoing-error.ts';
import { type Exchange, orAborted } from './outgoing-request.ts';
import { isPublicAddress } from './public-address.ts';
import { sharedLookup } from './shared-lookup.ts';

const headerBytesMax = 32_768;
const socketMessageBytesMax = 64 * 1_048_576;

export interface DispatchOptions {
  proxy: string | null;
  firstByteMs: number;
  idleMs: number;
  resolve: ResolveHost;
}

/** Each rejects with an OutgoingError or the signal's reason. */
export interface Dispatchers {
  /** Leads anywhere; for the service's own origins. */
  askOwn(wanted: Exchange, signal: AbortSignal): Promise<OutgoingAnswer>;
  /** Leads to public addresses only and keeps no connection. */
  askForeign(wanted: Exchange, signal: AbortSignal): Promise<OutgoingAnswer>;
  openSocket(url: URL, options: SocketOptions): Promise<WebSocket>;
  close(): Promise<void>;
}

export function openDispatchers(options: DispatchOptions): Dispatchers {
  const { own, foreign, admit } = openWays(options);
  return {
    askOwn: (wanted, signal) => exchange(own, wanted, signal),
    async askForeign(wanted, signal) {
      await orAborted(admit(wanted.url.hostname), signal);
      return await exchange(foreign, wanted, signal);
    },
    openSocket: (url, wish) => openSocket(url, wish, own),
    close: async () => void (await Promise.all([own.close(), foreign.close()])),
  };
}

interface Ways {
  own: Dispatcher;
  foreign: Dispatcher;
  /** Refuses what the foreign dispatcher cannot see, because a proxy opens its connections. */
  admit: (host: string) => Promise<void>;
}

function openWays(options: DispatchOptions): Ways {
  const { proxy, resolve } = options;
  const common = {
    headersTimeout: options.firstByteMs,
    bodyTimeout: options.idleMs,
    maxHeaderSize: headerBytesMax,
    // Over HTTP/2 a canceled request would leave the connection, and its cost upstream, open.
    allowH2: false,
    webSocket: { maxPayloadSize: socketMessageBytesMax },
  };
  const notKept = { ...common, pipelining: 0 };
  if (proxy !== null) {
    return {
      own: openTunnels(proxy, common),
      foreign: openTunnels(proxy, notKept),
      admit: (host) => refuseUnlessPublic(host, resolve),
    };
  }
  const limits = { allowH2: false, timeout: connectTimeoutMs };
  const connect = buildConnector({ ...limits, lookup: sharedLookup });
  const guarded = guardConnections(resolve, (_host, address) => isPublicAddress(address));
  return {
    own: new Agent({ ...common, connect: inOurWords(connect) }),
    foreign: new Agent({ ...notKept, connect: inOurWords(guarded) }),
    admit: async () => {},
  };
}

function openTunnels(proxy: string, options: Agent.Options): Dispatcher {
  return new ProxyAgent({
    ...options,
    uri: proxy,
    // Plain http too: it may carry a WebSocket, and the proxy has no business in it.
    proxyTunnel: true,
    connectTimeout: connectTimeoutMs,
    proxyTls: { lookup: sharedLookup },
    // One attempt to reach the proxy ends within the time of one attempt to connect.
    clientFactory: (origin, given) => {
      const { connect, ...others } = given as WithConnector;
      const limits = { allowH2: false, headersTimeout: connectTimeoutMs };
      return new Pool(origin, { ...others, ...limits, connect: inOurWords(connect, noProxyOf) });
    },
    factory: (origin, given) => {
      const { connect, ...others } = given as WithConnector;
      return new Pool(origin, { ...others, connect: inOurWords(connect, noTunnelOf) });
    },
  });
}

/** undici hands the options it was given itself and adds its way to the proxy, or through it. */
type WithConnector = Pool.Options & { connect: buildConnector.connector };

/** Tells what happens before there is a connection from what happens to one. */
function inOurWords(
  connect: buildConnector.connector,
  errorOf = connectErrorOf,
): buildConnector.connector {
  return (target, callback) => {
    connect(target, (...[error, socket]) => {
      if (error) callback(errorOf(error), null);
      else callback(null, socket);
    });
  };
}

function connectErrorOf(error: Error): OutgoingError {
  if (error instanceof NotPublicError) return new OutgoingError('forbidden', error.message);
  return notConnected('no connection', error);
}

function noProxyOf(error: Error): OutgoingError {
  return notConnected('the proxy cannot be reached', error);
}

function noTunnelOf(error: Error): OutgoingError {
  if (error instanceof OutgoingError) return error;
  // undici tells the status of a refusal in this sentence only.
  const status = /^Proxy response \((\d{3})\)/.exec(error.message)?.[1];
  if (status !== undefined) return new OutgoingError('connect', `the proxy answered ${status}`);
  return notConnected('no connection through the proxy', error);
}

async function refuseUnlessPublic(host: string, resolve: ResolveHost): Promise<void> {
  // URLs write an IPv6 address in brackets.
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  try {
    await findAddresses(bare, resolve, (_host, address) => isPublicAddress(address));
  } catch (error) {
    throw connectErrorOf(error instanceof Error ? error : new Error('resolving failed'));
  }
}
