import type { IncomingMessage } from 'node:http';

/** More are refused: every one of them is looked at again and again. */
const headersMax = 200;

/** A name or address, then perhaps a port; empty where there is no name for the service. */
const authority = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+;=%-]*)(?::\d*)?$/i;
const wholeAddress = /^https?:\/\/([^/?#]*)/i;

/**
 * Why a request is refused although Node could read it; null when it is fit. A proxy in front of
 * the service may read such a request in another way than we do, and what follows it on the
 * connection as another request than we would: the connection is to be closed.
 *
 * @param address as it was sent, before the path was taken out of it
 */
export function unfitnessOf(message: IncomingMessage, address: string): string | null {
  const names = message.rawHeaders.filter((_, index) => index % 2 === 0);
  if (names.length > headersMax) return `A request may have at most ${headersMax} headers.`;
  // Node reads the head of HTTP/2.0 as if it were one of HTTP/1.1.
  if (!['1.0', '1.1'].includes(message.httpVersion)) return 'The service speaks HTTP/1.1.';
  return wrongHost(message, names) ?? wrongAddress(message, address) ?? wrongCoding(message);
}

function wrongHost({ headers, httpVersion }: IncomingMessage, names: string[]): string | null {
  const hosts = names.filter((name) => name.toLowerCase() === 'host').length;
  if (hosts > 1 || (hosts === 0 && httpVersion !== '1.0')) {
    return 'A request must have exactly one Host header.';
  }
  return authority.test(headers.host ?? '') ? null : 'The Host header is not well-formed.';
}

/** The forms of RFC 9112, section 3.2: a path, a whole address, or `*` for OPTIONS. */
function wrongAddress({ headers, method }: IncomingMessage, address: string): string | null {
  if (address.startsWith('/') || (address === '*' && method === 'OPTIONS')) return null;
  const named = wholeAddress.exec(address)?.[1];
  if (named === undefined || named === '' || !authority.test(named)) {
    return 'The address is not well-formed.';
  }
  // An old client that sends a whole address may know no Host.
  if (headers.host === undefined || nameOf(named) === nameOf(headers.host)) return null;
  return 'The address and the Host header name different hosts.';
}

/** Without the port, which proxies add and leave out. */
function nameOf(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, '');
}

/** Bodies are chunked or of a known length; nothing else is undone. */
function wrongCoding({ headers, httpVersion }: IncomingMessage): string | null {
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return null;
  if (httpVersion === '1.0') return 'HTTP/1.0 has no Transfer-Encoding.';
  const isChunked = coding.trim().toLowerCase() === 'chunked';
  return isChunked ? null : 'The only Transfer-Encoding that is understood is chunked.';
}
