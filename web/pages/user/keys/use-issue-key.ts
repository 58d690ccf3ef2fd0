import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { IssuedKeyView, NewKeyForm } from '../../../../shared/console/keys.ts';
import { isUncertain, toApiError } from '../../../api/api-error.ts';
import { findKeyOf, issueKey, revokeKey } from '../../../api/keys.ts';
import { randomId } from '../../../lib/random-id.ts';

/** Makes a key so that none is left whose secret nobody has seen, because the answer got lost. */
export function useIssueKey(): {
  issue: (form: NewKeyForm) => Promise<IssuedKeyView>;
  /** Whether such a one may be there. */
  isUnsure: boolean;
} {
  const queryClient = useQueryClient();
  const reference = useRef(newReference());
  const [isUnsure, setUnsure] = useState(false);
  const order = async (form: NewKeyForm) => {
    const issued = await issueKey({ ...form, reference: reference.current });
    setUnsure(false);
    return issued;
  };
  const issue = async (form: NewKeyForm) => {
    try {
      return await order(form);
    } catch (thrown) {
      const error = toApiError(thrown);
      if (error.param !== 'reference') {
        if (isUncertain(error)) {
          setUnsure(true);
          void queryClient.invalidateQueries({ queryKey: ['keys'] });
        }
        throw error;
      }
    }
    // It was made, and nobody has its secret.
    const unseen = await findKeyOf(reference.current);
    if (unseen) await revokeKey(unseen.id);
    reference.current = newReference();
    return order(form);
  };
  return { issue, isUnsure };
}

function newReference(): string {
  return randomId().slice(0, 16);
}
