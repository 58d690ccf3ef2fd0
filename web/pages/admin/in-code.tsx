import { Fragment, type ReactNode } from 'react';

/** What stands between backticks in a description, as code. */
export function inCode(text: string): ReactNode {
  return text.split('`').map((piece, index) =>
    // The pieces of a text never change their order.
    // oxlint-disable-next-line react/no-array-index-key -- a text has no other identity
    index % 2 === 0 ? <Fragment key={index}>{piece}</Fragment> : <code key={index}>{piece}</code>,
  );
}
