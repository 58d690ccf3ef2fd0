import type { AuditView } from '../../../../shared/console/admin-audit.ts';
import { paths, type Target } from '../../../paths.ts';

/** The page of what was changed, by what the action says of it; null where there is none. */
export function auditTarget({ action, target, target_owner: owner }: AuditView): Target | null {
  const [subject] = action.split('.');
  switch (subject) {
    case 'model':
      return paths.model(target);
    case 'upstream':
      return action === 'upstream.remove' ? null : paths.upstream(target);
    case 'user':
      return paths.user(target);
    case 'api_key':
      return owner === null ? null : paths.user(owner, { tab: 'keys' });
    case 'payment':
      return paths.user(target, { tab: 'wallet' });
    case 'code':
      // Whoever made or took back codes changed a batch, or one code.
      return action === 'code.redeem'
        ? paths.user(target, { tab: 'wallet' })
        : paths.codes(target.startsWith('bat_') ? { batch: target } : {});
    case 'wallet':
      // A refund names the request whose charge it returns.
      return action === 'wallet.refund'
        ? paths.trace(target)
        : paths.user(target, { tab: 'wallet' });
    default:
      return null;
  }
}
