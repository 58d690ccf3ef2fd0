/** A code as it may be stored and shown: a short machine word, never a sentence. */
export function machineWord(text: string | null): string | null {
  return text !== null && /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}$/.test(text) ? text : null;
}

/** The same of a field inside a body, such as `tools[0].size`. */
export function machinePath(text: string | null): string | null {
  return text !== null && /^[A-Za-z0-9][A-Za-z0-9_.:[\]-]{0,63}$/.test(text) ? text : null;
}
