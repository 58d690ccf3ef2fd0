type Fetch = typeof fetch;

/**
 * `fetch` as a web page has it that calls another origin, as far as the Fetch standard's CORS rules
 * go: it asks in a preflight first, and sees only the headers that it is allowed to see.
 */
export function pageFetch(origin: string): Fetch {
  return async (...args: Parameters<Fetch>) => {
    const request = new Request(...args);
    await askFirst(request, origin);
    request.headers.set('origin', origin);
    const response = await fetch(request);
    allowOrigin(response, origin);
    const exposed = new Set([...alwaysExposed, ...listOf(response, 'expose-headers')]);
    const headers = [...response.headers].filter(([name]) => exposed.has(name));
    return new Response(response.body, { status: response.status, headers });
  };
}

async function askFirst({ url, method, headers }: Request, origin: string): Promise<void> {
  const asked = [...headers.keys()].filter((name) => needsPermission(name, headers)).sort();
  const answer = await fetch(url, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': asked.join(','),
    },
  });
  if (!answer.ok) throw refused(`the preflight was answered with ${answer.status}`);
  allowOrigin(answer, origin);
  if (!alwaysAllowedMethods.includes(method) && !listOf(answer, 'allow-methods').has(method)) {
    throw refused(`${method} is not allowed`);
  }
  const allowed = listOf(answer, 'allow-headers');
  // A star would not cover Authorization.
  const missing = asked.filter((name) => !allowed.has(name));
  if (missing.length > 0) throw refused(`${missing.join(', ')} may not be sent`);
}

function needsPermission(name: string, headers: Headers): boolean {
  if (name !== 'content-type') return !['accept', 'accept-language'].includes(name);
  return !/^(text\/plain|multipart\/form-data)\b/.test(headers.get(name) ?? '');
}

const alwaysAllowedMethods = ['GET', 'HEAD', 'POST'];
const alwaysExposed = ['cache-control', 'content-length', 'content-type', 'expires'];

function allowOrigin({ headers }: Response, origin: string): void {
  const allowed = headers.get('access-control-allow-origin') ?? '';
  if (!['*', origin].includes(allowed)) throw refused(`${origin} is not allowed`);
}

function listOf({ headers }: Response, name: string): Set<string> {
  const list = headers.get(`access-control-${name}`) ?? '';
  return new Set(list.split(',').map((item) => item.trim()));
}

/** All that a page is told is that it failed; a test is told why. */
function refused(reason: string): TypeError {
  return new TypeError('Failed to fetch', { cause: reason });
}
