import type { Variables } from './options.ts';

/**
 * The variables without those that Kubernetes adds to a pod for each service of its namespace. One that is called
 * like us would be taken for options: beside `TINTYPE_SERVICE_HOST` it has `TINTYPE_PORT=tcp://10.0.0.7:8080`.
 */
export function withoutServiceLinks(variables: Variables): Variables {
  const all = Object.entries(variables);
  const services = new Set(all.flatMap(([name, value]) => serviceOf(name, value) ?? []));
  if (services.size === 0) return variables;
  return Object.fromEntries(all.filter(([name, value]) => !isLink(name, value, services)));
}

/** The service whose address a variable tells, as its name stands in variables. */
function serviceOf(name: string, value = ''): string | null {
  if (!isAddress(value)) return null;
  return /^(\w+?)_PORT(?:_\d+_(?:TCP|UDP|SCTP))?$/.exec(name)?.[1] ?? null;
}

function isLink(name: string, value: string | undefined, services: ReadonlySet<string>): boolean {
  const [, service = '', detail] =
    /^(\w+?)_(SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)?)$/.exec(
      name,
    ) ?? [];
  if (!services.has(service)) return false;
  // What the pod itself says of a port stands in the place of the service's.
  return detail !== 'PORT' || isAddress(value ?? '');
}

function isAddress(value: string): boolean {
  return /^(?:tcp|udp|sctp):\/\//.test(value);
}
