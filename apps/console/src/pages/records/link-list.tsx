import { Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ProofLink } from '@answer-evidence/contracts';
import { Time } from '../../components/time.tsx';
import classes from './record.module.css';

type Props = {
  readonly links: readonly ProofLink[];
  readonly isBusy: boolean;
  readonly onRevoke: (id: string) => Promise<void>;
};

/** The links of a record: until when each works, when it was opened last, and a way to end it. */
export function LinkList({ links, isBusy, onRevoke }: Props) {
  const { t } = useTranslation();
  if (links.length === 0) return <Text c="dimmed">{t('proofLink.none')}</Text>;
  const now = Date.now();
  return (
    <ul className={classes['links']}>
      {links.map((link) => {
        const isExpired = Date.parse(link.expires_at) <= now;
        const state = link.revoked_at === null ? (isExpired ? 'expired' : 'live') : 'revoked';
        return (
          <li key={link.id}>
            <div>
              <strong>{t(`proofLink.${state}`)}</strong> · {t(`proofLink.${link.shows}`)}
              <Text size="sm" c="dimmed">
                {t('proofLink.made')} <Time at={link.created_at} /> · {t('proofLink.expires')}{' '}
                <Time at={link.expires_at} /> · {t('proofLink.opened')}{' '}
                {link.opened_at === null ? t('proofLink.never') : <Time at={link.opened_at} />}
              </Text>
            </div>
            {state === 'live' && (
              <Button variant="default" size="xs" disabled={isBusy} onClick={() => void onRevoke(link.id)}>
                {t('proofLink.revoke')}
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
