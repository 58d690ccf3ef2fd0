import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Account } from '../../../../shared/console/account.ts';
import { accountQuery } from '../../../api/account.ts';

/** What every tab gets. */
export interface AccountPart {
  account: Account;
}

/** One matter of the account: what it is, how it stands, and what can be done. */
export function AccountMatter({
  title,
  text,
  actions,
  children,
}: {
  title: string;
  text?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <section className="grid gap-3 border-b border-line pb-5 last:border-b-0">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="grid min-w-0 flex-1 basis-72 gap-1">
          <h2 className="text-body">{title}</h2>
          {text && <p className="text-text-2">{text}</p>}
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
      {children}
    </section>
  );
}

/** After a change: what is shown is what the server has. */
export function useRefreshAccount(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: accountQuery.queryKey });
}
