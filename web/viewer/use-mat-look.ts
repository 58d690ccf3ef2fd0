import { createStore, useStore } from '../lib/store.ts';

export const matLooks = ['theme', 'light', 'mid', 'dark'] as const;
export type MatLook = (typeof matLooks)[number];

const look = createStore<MatLook>('theme');

/** Of what brightness the mat is: for as long as the page is open. */
export function useMatLook(): readonly [MatLook, (look: MatLook) => void] {
  return [useStore(look), look.set];
}
