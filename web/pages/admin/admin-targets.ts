import type { ReadinessView } from '../../../shared/console/admin-overview.ts';
import { paths, type Target } from '../../paths.ts';

/** Where the API's links lead in the console; null for what no page of it mends. */
export function targetOf({ page, id }: ReadinessView['items'][number]['link']): Target | null {
  switch (page) {
    case 'models':
      return paths.models();
    case 'model':
      return id === null ? paths.models() : paths.model(id);
    case 'upstreams':
      return paths.upstreams();
    case 'upstream':
      return id === null ? paths.upstreams() : paths.upstream(id);
    case 'users':
      return paths.users();
    case 'user':
      return id === null ? paths.users() : paths.user(id);
    case 'keys':
      return paths.keys();
    case 'playground':
      return paths.playground();
    case 'settings':
      return paths.settingsSection('proxy');
    case 'documentation':
      return null;
  }
}
