/** The pages of the sidebar, in its order, with the keys that lead to them after `g`. */
import {
  Activity,
  Banknote,
  BookOpen,
  Boxes,
  Brush,
  CircleUser,
  FileClock,
  Gauge,
  Images,
  KeyRound,
  type LucideIcon,
  ReceiptText,
  Settings,
  Ticket,
  Unplug,
  Users,
  Wallet,
} from 'lucide-react';
import type { shell } from '../i18n/en/shell.ts';
import { pages, paths, type Target } from '../paths.ts';

export interface NavigationItem {
  name: keyof typeof shell.nav;
  to: Target;
  picture: LucideIcon;
  /** The right that it needs. */
  right: string;
  /** Pressed after `g`. */
  key?: string;
  /** Only this very address is its own, not what lies below. */
  isExact?: boolean;
}

export interface NavigationGroup {
  title: 'account' | 'administration' | null;
  items: readonly NavigationItem[];
}

const navigation: readonly NavigationGroup[] = [
  {
    title: null,
    items: [
      { name: 'playground', to: paths.playground(), picture: Brush, right: 'own', key: 'p' },
      { name: 'gallery', to: paths.gallery(), picture: Images, right: 'own', key: 'g' },
    ],
  },
  {
    title: 'account',
    items: [
      { name: 'usage', to: paths.usage(), picture: Activity, right: 'own', key: 'u' },
      { name: 'wallet', to: paths.wallet(), picture: Wallet, right: 'own', key: 'w' },
      { name: 'keys', to: paths.keys(), picture: KeyRound, right: 'own', key: 'k' },
      { name: 'quickstart', to: paths.quickstart(), picture: BookOpen, right: 'own' },
      { name: 'account', to: paths.account(), picture: CircleUser, right: 'own' },
    ],
  },
  {
    title: 'administration',
    items: [
      {
        name: 'admin',
        to: paths.admin(),
        picture: Gauge,
        right: 'admin.overview',
        key: 'a',
        isExact: true,
      },
      { name: 'models', to: paths.models(), picture: Boxes, right: 'admin.models' },
      { name: 'upstreams', to: paths.upstreams(), picture: Unplug, right: 'admin.upstreams' },
      { name: 'users', to: paths.users(), picture: Users, right: 'admin.users' },
      { name: 'payments', to: paths.payments(), picture: Banknote, right: 'admin.users' },
      { name: 'codes', to: paths.codes(), picture: Ticket, right: 'admin.users' },
      { name: 'log', to: paths.log(), picture: ReceiptText, right: 'admin.log' },
      { name: 'audit', to: paths.audit(), picture: FileClock, right: 'admin.audit' },
      { name: 'settings', to: paths.settings(), picture: Settings, right: 'admin.settings' },
    ],
  },
];

/** What somebody with these rights finds in the sidebar. */
export function navigationFor(rights: readonly string[]): readonly NavigationGroup[] {
  return navigation
    .map(({ title, items }) => ({
      title,
      items: items.filter(({ right }) => rights.includes(right)),
    }))
    .filter(({ items }) => items.length > 0);
}

/** Whether an address is the item's page, or one below it. */
export function isAt(pathname: string, { to, isExact = false }: NavigationItem): boolean {
  if (pathname === to.path) return true;
  return !isExact && to.path !== pages.home && pathname.startsWith(`${to.path}/`);
}
