import { ActionIcon, Text } from '@mantine/core';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PlainText } from '../components/plain-text.tsx';
import { SearchBox } from '../search/search-box.tsx';
import { useSession } from '../session/session-context.tsx';
import { Icon } from './icon.tsx';
import { NAVIGATION } from './navigation.ts';
import { ReaderMenu } from './reader-menu.tsx';
import classes from './shell.module.css';

/** The frame around every page: navigation, workspace, reader. */
export function Shell() {
  const { t } = useTranslation();
  const { session, isManager } = useSession();
  const [isOpen, setOpen] = useState(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(() => setOpen(false), [path]);
  const items = NAVIGATION.filter((item) => isManager || item.isManagers !== true);
  return (
    <div className={classes['shell']}>
      <a className={classes['skip']} href="#page">
        {t('shell.skip')}
      </a>
      <header className={classes['header']}>
        <ActionIcon
          variant="subtle"
          className={classes['burger']}
          aria-label={t('shell.menu')}
          aria-expanded={isOpen}
          aria-controls="navigation"
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="menu" />
        </ActionIcon>
        <Text fw={700} component="span" className={classes['name']}>
          {t('shell.product')}
        </Text>
        <span className={classes['workspace']}>
          <PlainText text={session.workspace.name} />
        </span>
        <SearchBox />
        <ReaderMenu />
      </header>
      <nav id="navigation" className={classes['nav']} data-open={isOpen} aria-label={t('shell.navigation')}>
        <ul>
          {items.map(({ to, label, icon }) => (
            <li key={to}>
              <Link to={to} className={classes['link'] ?? ''} activeProps={{ 'aria-current': 'page' }}>
                <Icon name={icon} size={18} />
                {t(label)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <main id="page" className={classes['main']} tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  );
}
