/** How many requests at once, as typed: nothing takes the limit that all users have. */
export function isSlots(text: string): boolean {
  return text.trim() === '' || /^[1-9]\d{0,6}$/.test(text.trim());
}

export function slotsOf(text: string): number | null {
  return text.trim() === '' ? null : Number(text);
}
