/** As much as can be told without sending a mail; the service says the rest. */
export function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text.trim());
}
