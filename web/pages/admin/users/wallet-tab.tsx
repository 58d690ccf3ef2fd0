import type { AdminUser } from '../../../../shared/console/admin-users.ts';
import { AdjustForm } from './adjust-form.tsx';
import { UserLedger } from './user-ledger.tsx';

export function WalletTab({ user }: { user: AdminUser }) {
  return (
    <div className="grid gap-8">
      <AdjustForm user={user} />
      <UserLedger user={user} />
    </div>
  );
}
