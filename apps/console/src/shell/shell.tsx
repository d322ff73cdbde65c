import { ActionIcon, Alert } from '@mantine/core';
import { Link, Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PageHead } from '../components/page-head.tsx';
import { PlainText } from '../components/plain-text.tsx';
import { SearchBox } from '../search/search-box.tsx';
import { useSession } from '../session/session-context.tsx';
import { Brand } from './brand.tsx';
import { Icon } from './icon.tsx';
import { listMenu, MENU_PARTS, type MenuItem, type MenuPart, nameOf, type PageRoute } from './menu.ts';
import { ReaderMenu } from './reader-menu.tsx';
import classes from './shell.module.css';

/** The frame around every page: navigation, workspace, reader. */
export function Shell() {
  const { t } = useTranslation();
  const { session, may } = useSession();
  const [isOpen, setOpen] = useState(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(() => setOpen(false), [path]);
  const needed = useRouterState({ select: ({ matches }) => matches.at(-1)?.staticData.right });
  const routes: readonly PageRoute[] = Object.values(useRouter().routesById);
  const isShown = ({ right }: MenuItem) => right === undefined || may(right);
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
          {MENU_PARTS.map((part) => (
            <Part key={part} part={part} items={listMenu(routes, part).filter(isShown)} />
          ))}
        </div>
      </nav>
      <main id="page" className={classes['main']} tabIndex={-1}>
        {needed === undefined || may(needed) ? <Outlet /> : <Forbidden path={path} />}
      </main>
    </div>
  );
}

/** In the place of a page that the reader's role does not open. */
function Forbidden({ path }: { readonly path: string }) {
  const { t } = useTranslation();
  return (
    <>
      <PageHead title={t(`navigation.${nameOf(path)}`)} />
      <Alert color="yellow">{t('errors.forbidden')}</Alert>
    </>
  );
}

/** Some pages of a kind, under its name. */
function Part({ part, items }: { readonly part: MenuPart; readonly items: readonly MenuItem[] }) {
  const { t } = useTranslation();
  const heading = part === 'first' ? undefined : t(`navigation.groups.${part}`);
  if (items.length === 0) return null;
  return (
    <>
      {heading !== undefined && <p className={classes['group']}>{heading}</p>}
      <ul aria-label={heading}>
        {items.map(({ to, icon }) => (
          <li key={to}>
            <Link to={to} className={classes['link'] ?? ''} activeProps={{ 'aria-current': 'page' }}>
              <Icon name={icon} size={18} />
              {t(`navigation.${nameOf(to)}`)}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
