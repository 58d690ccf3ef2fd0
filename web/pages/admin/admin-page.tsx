import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { adminModelsQuery } from '../../api/admin-models.ts';
import { Page, type PageProps } from '../../parts/page.tsx';
import { setNavigationCount } from '../../shell/navigation-counts.ts';

/** A page of the administration: it knows what needs action, and the sidebar says so. */
export function AdminPage(props: PageProps) {
  const { data } = useQuery(adminModelsQuery);
  const waiting = data?.counts.needs_price;
  useEffect(() => {
    if (waiting !== undefined) setNavigationCount('models', waiting);
  }, [waiting]);
  return <Page {...props} />;
}
