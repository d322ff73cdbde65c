import { Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../shell/icon.tsx';
import classes from './members.module.css';

/** What people do here, and who may. The service decides by its access matrix. */
const ACTS = [
  { name: 'records', isManagers: false },
  { name: 'texts', isManagers: false },
  { name: 'reconcile', isManagers: false },
  { name: 'ownTokens', isManagers: false },
  { name: 'events', isManagers: true },
  { name: 'exports', isManagers: true },
  { name: 'trust', isManagers: true },
  { name: 'members', isManagers: true },
  { name: 'log', isManagers: true },
] as const;

/** What each role may do, side by side. */
export function RolesExplained() {
  const { t } = useTranslation();
  const say = (isAllowed: boolean) => (
    <>
      {isAllowed ? <Icon name="check" size={14} /> : '–'}
      <span className="visually-hidden">{t(isAllowed ? 'common.yes' : 'common.no')}</span>
    </>
  );
  return (
    <section className="section" aria-labelledby="roles">
      <Title order={2} size="h4" id="roles" mb="sm">
        {t('members.roles')}
      </Title>
      <div className="table-frame">
        <table className={classes['roles']}>
          <caption className="visually-hidden">{t('members.roles')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('members.act')}</th>
              <th scope="col">{t('roles.member')}</th>
              <th scope="col">{t('roles.manager')}</th>
            </tr>
          </thead>
          <tbody>
            {ACTS.map(({ name, isManagers }) => (
              <tr key={name}>
                <th scope="row">{t(`acts.${name}`)}</th>
                <td>{say(!isManagers)}</td>
                <td>{say(true)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
