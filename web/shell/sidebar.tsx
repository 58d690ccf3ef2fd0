import { useLocation } from '@tanstack/react-router';
import { useId } from 'react';
import { useBootstrap, useUser } from '../api/bootstrap.ts';
import { shellText } from '../i18n/shell-text.ts';
import { useText } from '../i18n/text.ts';
import { paths } from '../paths.ts';
import { classes } from '../ui/classes.ts';
import { icon } from '../ui/icon.ts';
import { Link } from '../ui/link.tsx';
import { Mark } from '../ui/mark.tsx';
import { AccountMenu } from './account-menu.tsx';
import { isAt, type NavigationGroup, type NavigationItem, navigationFor } from './navigation.ts';

/** The three groups of pages, and who is signed in. Also the content of the drawer on phones. */
export function Sidebar({ onLeave }: { onLeave?: () => void }) {
  const t = useText(shellText);
  const { installation } = useBootstrap();
  const { rights } = useUser();
  return (
    <div className="flex h-full flex-col gap-4 overflow-y-auto p-3">
      <Link
        to={paths.playground()}
        look="plain"
        {...(onLeave ? { onClick: onLeave } : {})}
        className={classes(
          'flex min-h-8 items-center gap-2 rounded-control px-2 font-semibold',
          // What closes the drawer is beside it.
          onLeave && 'mr-10',
        )}
      >
        <Mark />
        <span className="truncate">{installation.name}</span>
      </Link>
      <nav aria-label={t.navigation} className="grid flex-1 content-start gap-4">
        {navigationFor(rights).map((group) => (
          <Group key={group.title} group={group} onLeave={onLeave} />
        ))}
      </nav>
      <AccountMenu />
    </div>
  );
}

function Group({ group, onLeave }: { group: NavigationGroup; onLeave: (() => void) | undefined }) {
  const t = useText(shellText);
  const titleId = useId();
  const { title, items } = group;
  return (
    <div>
      {title && (
        <p id={titleId} className="px-2 pb-1 text-caption text-text-3">
          {t[title]}
        </p>
      )}
      <ul {...(title ? { 'aria-labelledby': titleId } : {})} className="grid gap-px">
        {items.map((item) => (
          <Item key={item.name} item={item} onLeave={onLeave} />
        ))}
      </ul>
    </div>
  );
}

function Item({ item, onLeave }: { item: NavigationItem; onLeave: (() => void) | undefined }) {
  const t = useText(shellText);
  const { pathname } = useLocation();
  const { attention } = useUser();
  const counts: Partial<Record<NavigationItem['name'], number>> = attention ?? {};
  const count = counts[item.name] ?? 0;
  const isHere = isAt(pathname, item);
  const Picture = item.picture;
  return (
    <li>
      <Link
        to={item.to}
        look="plain"
        aria-current={isHere ? 'page' : undefined}
        {...(onLeave ? { onClick: onLeave } : {})}
        className={classes(
          'fade flex min-h-8 items-center gap-2.5 rounded-control px-2 pointer-coarse:min-h-11',
          isHere
            ? 'bg-pressed font-semibold text-text'
            : 'text-text-2 hover:bg-hover hover:text-text',
        )}
      >
        <Picture {...icon} className="shrink-0" />
        <span className="min-w-0 flex-1 truncate">{t.nav[item.name]}</span>
        {count > 0 && (
          <span className="tabular rounded-small bg-warn-soft px-1.5 text-caption text-warn">
            <span aria-hidden>{count}</span>
            <span className="sr-only">{t.needsAction(count)}</span>
          </span>
        )}
      </Link>
    </li>
  );
}
