/** Puts what the administrator adds to every call into what the SDK wants to send. */

/**
 * Members of `extra` win, at every depth, except over what carries the prompt, the model's name or
 * a picture: `isProtected` tells of a text whether it does.
 */
export function mergeExtra(
  ours: unknown,
  extra: unknown,
  isProtected: (text: string) => boolean,
): unknown {
  if (isPlain(ours) && isPlain(extra)) {
    const names = new Set([...Object.keys(ours), ...Object.keys(extra)]);
    return Object.fromEntries(
      [...names].map((name) => [
        name,
        Object.hasOwn(extra, name) ? mergeExtra(ours[name], extra[name], isProtected) : ours[name],
      ]),
    );
  }
  return carriesProtected(ours, isProtected) ? ours : extra;
}

function carriesProtected(value: unknown, isProtected: (text: string) => boolean): boolean {
  if (typeof value === 'string') return isProtected(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((member) => carriesProtected(member, isProtected));
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
