import { ActionIcon, Alert } from '@mantine/core';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PageHead } from '../components/page-head.tsx';
import { PlainText } from '../components/plain-text.tsx';
import { SearchBox } from '../search/search-box.tsx';
import { useSession } from '../session/session-context.tsx';
import { Brand } from './brand.tsx';
import { Icon } from './icon.tsx';
import { labelOf, NAVIGATION, type NavigationItem, rightOf } from './navigation.ts';
import { ReaderMenu } from './reader-menu.tsx';
import classes from './shell.module.css';

/** The frame around every page: navigation, workspace, reader. */
export function Shell() {
  const { t } = useTranslation();
  const { session, may } = useSession();
  const [isOpen, setOpen] = useState(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(() => setOpen(false), [path]);
  const route = useRouterState({ select: ({ matches }) => matches.at(-1)?.routeId });
  const needed = route === undefined ? undefined : rightOf(route);
  const isShown = ({ right }: NavigationItem) => right === undefined || may(right);
  return (
    <div className={classes['shell']}>
      <a className={classes['skip']} href="#page">
        {t('shell.skip')}
      </a>
      <header className={classes['top']}>
        <div className={classes['brand']}>
          <ActionIcon
            variant="subtle"
            color="gray"
            className={classes['burger']}
            aria-label={t('shell.menu')}
            aria-expanded={isOpen}
            aria-controls="navigation"
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name="menu" />
          </ActionIcon>
          <Brand />
        </div>
        <div className={classes['bar']}>
          {may('records.read') && <SearchBox />}
          <span className={classes['workspace']}>
            <PlainText text={session.workspace.name} />
          </span>
          <ReaderMenu />
        </div>
      </header>
      <nav id="navigation" className={classes['nav']} data-open={isOpen} aria-label={t('shell.navigation')}>
        <div className={classes['groups']}>
          {NAVIGATION.map(({ label, items }) => (
            <NavigationGroup key={label ?? ''} label={label} items={items.filter(isShown)} />
          ))}
        </div>
      </nav>
      <main id="page" className={classes['main']} tabIndex={-1}>
        {route === undefined || needed === undefined || may(needed) ? <Outlet /> : <Forbidden route={route} />}
      </main>
    </div>
  );
}

/** In the place of a page that the reader's role does not open. */
function Forbidden({ route }: { readonly route: string }) {
  const { t } = useTranslation();
  return (
    <>
      <PageHead title={t(labelOf(route))} />
      <Alert color="yellow">{t('errors.forbidden')}</Alert>
    </>
  );
}

/** Some pages of a kind, under its name. */
function NavigationGroup({
  label,
  items,
}: {
  readonly label: string | null;
  readonly items: readonly NavigationItem[];
}) {
  const { t } = useTranslation();
  if (items.length === 0) return null;
  return (
    <>
      {label !== null && <p className={classes['group']}>{t(label)}</p>}
      <ul aria-label={label === null ? undefined : t(label)}>
        {items.map(({ to, label: name, icon }) => (
          <li key={to}>
            <Link to={to} className={classes['link'] ?? ''} activeProps={{ 'aria-current': 'page' }}>
              <Icon name={icon} size={18} />
              {t(name)}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
