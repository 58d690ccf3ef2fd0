import { useQuery } from '@tanstack/react-query';
import { upstreamsQuery } from '../../api/admin-upstreams.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../ui/link.tsx';

/** An upstream by the name that it had; it leads nowhere if none has that name now. */
export function UpstreamLink({ name }: { name: string }) {
  const { data } = useQuery(upstreamsQuery);
  const found = data?.upstreams.find((upstream) => upstream.name === name);
  if (!found) return <span translate="no">{name}</span>;
  return (
    <Link to={paths.upstream(found.id)} translate="no" className="max-sm:inline-block max-sm:py-1">
      {name}
    </Link>
  );
}
