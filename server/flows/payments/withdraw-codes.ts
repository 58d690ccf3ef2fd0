import { addAmounts, formatAmount, zero } from '../../../shared/money.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { Code } from '../../payments/code.ts';
import { hasCodes, withdrawOpenCodes } from '../../payments/code-store.ts';
import { type Admin, adminChange } from '../admin-change.ts';

/**
 * Takes back a code, or what is left of a batch; answers with those it took. What was redeemed stays
 * redeemed.
 *
 * @param id of a code or of a batch
 */
export function withdrawCodes(admin: Admin, id: string): Promise<readonly Code[]> {
  return adminChange(admin, async (trx, nowMs) => {
    if (!(await hasCodes(trx, id))) {
      throw new ServiceError('not_found', `There is no code or batch ${id}.`);
    }
    const taken = await withdrawOpenCodes(trx, { id, nowMs });
    const sum = taken.reduce((total, { amount }) => addAmounts(total, amount), zero);
    return {
      result: taken,
      entry:
        taken.length === 0
          ? null
          : {
              action: 'code.withdraw',
              subject: id,
              detail: { count: taken.length, sum: formatAmount(sum) },
              topic: null,
            },
    };
  });
}
