import { Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { MEMBER_ROLES } from '@answer-evidence/contracts';
import { ACCESS_MATRIX, type Right } from '@answer-evidence/contracts/operations';
import { Icon } from '../../shell/icon.tsx';
import classes from './members.module.css';

/** What people do here, by the right that each takes; the key of its words in the catalogues. */
const ACTS: readonly (readonly [name: string, right: Right])[] = [
  ['records', 'records.read'],
  ['texts', 'texts.read'],
  ['triage', 'triage'],
  ['reconcile', 'reconciliations.run'],
  ['ownTokens', 'tokens.own'],
  ['correct', 'events.append'],
  ['events', 'events.manage'],
  ['exports', 'records.export'],
  ['packs', 'packs'],
  ['log', 'entries.read'],
  ['check', 'ledger.check'],
  ['applications', 'tokens.applications'],
  ['trust', 'trust.manage'],
  ['members', 'members.change'],
];

/** What each role may do, side by side, as the service decides it. */
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
              {MEMBER_ROLES.map((role) => (
                <th key={role} scope="col">
                  {t(`roles.${role}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {ACTS.map(([name, right]) => (
              <tr key={name}>
                <th scope="row">{t(`acts.${name}`)}</th>
                {MEMBER_ROLES.map((role) => {
                  const isAllowed = ACCESS_MATRIX[right].people.includes(role);
                  return (
                    <td key={role} data-role={t(`roles.${role}`)} data-no={isAllowed ? undefined : true}>
                      {say(isAllowed)}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
