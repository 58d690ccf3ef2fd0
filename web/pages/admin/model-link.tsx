import { useQuery } from '@tanstack/react-query';
import { adminModelsQuery } from '../../api/admin-models.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../ui/link.tsx';

/** A model by its ID; it leads nowhere if there is none of that ID any more. */
export function ModelLink({ id }: { id: string }) {
  const { data } = useQuery(adminModelsQuery);
  if (!data?.models.some((model) => model.id === id)) return <span translate="no">{id}</span>;
  return (
    <Link to={paths.model(id)} translate="no" className="max-sm:inline-block max-sm:py-1">
      {id}
    </Link>
  );
}
