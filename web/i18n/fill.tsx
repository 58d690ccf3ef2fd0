import { Fragment, type ReactNode } from 'react';

/** Puts elements into a message: `fill('See {wallet}.', { wallet: <Link …/> })`. */
export function fill(message: string, parts: Readonly<Record<string, ReactNode>>): ReactNode {
  return message.split(/\{(\w+)\}/).map((piece, index) => (
    // Odd pieces are names of placeholders. The order never changes.
    // oxlint-disable-next-line react/no-array-index-key -- a message has no other identity
    <Fragment key={index}>{index % 2 === 0 ? piece : parts[piece]}</Fragment>
  ));
}
