import { useEffect, useState } from 'react';
import { keptInTab } from '../../../lib/kept-texts.ts';
import { randomId } from '../../../lib/random-id.ts';

const key = 'tintype.setup.reference';

/** What an order is known by until it is done: a tab that is loaded anew meanwhile sends the same one. */
export function useKeptReference(): { reference: string; renew: () => void } {
  const [reference, setReference] = useState(() => keptInTab.read(key) ?? randomId());
  useEffect(() => keptInTab.write(key, reference), [reference]);
  return { reference, renew: () => setReference(randomId()) };
}
