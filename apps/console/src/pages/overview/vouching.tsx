import { Anchor, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Overview } from '@answer-evidence/contracts';
import { Chip } from '../../components/chip.tsx';
import { Time } from '../../components/time.tsx';
import classes from './overview.module.css';

/** As long as the service waits for witnesses, too. */
const PATIENCE_MS = 60_000;

type Sized = Overview['log']['witnessed_size'];

/** Who vouches for the log, how far, and what of it nobody outside vouches for yet. */
export function Vouching({ overview: { log, erasure, counts, now } }: { readonly overview: Overview }) {
  const { t } = useTranslation();
  // Witnesses take some seconds, and each entry is news to them: only what they leave waiting is worth a colour.
  const isFresh = log.exposed_since !== null && Date.parse(now) - Date.parse(log.exposed_since) < PATIENCE_MS;
  const [listed, missing] = [sum(counts, 'listed'), sum(counts, 'missing')];
  const readings = counts.some((one) => one.readings !== null)
    ? counts.reduce((total, one) => total + (one.readings ?? 0), 0)
    : null;
  return (
    <div className={classes['side']}>
      <section className={classes['panel']} aria-labelledby="vouching">
        <Title order={2} size="h4" id="vouching">
          {t('overview.vouching')}
        </Title>
        <dl className={classes['facts']}>
          <Fact name={t('overview.service')}>
            {log.published_at === null ? (
              <Chip color="yellow">{t('overview.never')}</Chip>
            ) : (
              <Time at={log.published_at} />
            )}
          </Fact>
          <Fact name={t('overview.witnesses')}>{sizeOf(log.witnessed_size, log.published_size, isFresh)}</Fact>
          <Fact name={t('overview.anchors')}>{sizeOf(log.anchored_size, log.published_size, false)}</Fact>
          <Fact name={t('overview.exposed')}>
            {t('overview.entries', { count: log.exposed_entries })}
            {log.exposed_since !== null && (
              <>
                {' '}
                <span className="muted">
                  {t('overview.exposedSince')} <Time at={log.exposed_since} />
                </span>
              </>
            )}
          </Fact>
        </dl>
        <p className={classes['note']}>{t('overview.vouchingNote')}</p>
      </section>
      <section className={classes['panel']} aria-label={t('overview.figures')}>
        <dl className={classes['figures']}>
          <Figure
            value={listed === 0 ? '–' : t('overview.share', { value: (listed - missing) / listed })}
            name={t('overview.ofLists')}
          />
          {readings !== null && (
            <Figure value={t('overview.number', { value: readings })} name={t('overview.readings')} />
          )}
          <Figure
            value={`${t('overview.number', { value: erasure.due })}${erasure.due_relation === 'gte' ? '+' : ''}`}
            name={t('overview.erasure')}
          />
        </dl>
        <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/reconciliation" />}>
          {t('overview.lists')}
        </Anchor>
      </section>
    </div>
  );

  function sizeOf(size: Sized, published: number, isQuiet: boolean): ReactNode {
    if (size === null) return <Chip color="gray">{t('overview.nobody')}</Chip>;
    if (size >= published) return <Chip color="green">{t('overview.upToDate')}</Chip>;
    return <Chip color={isQuiet ? 'gray' : 'yellow'}>{t('overview.upTo', { count: size })}</Chip>;
  }
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Figure({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function sum(counts: Overview['counts'], name: 'listed' | 'missing'): number {
  return counts.reduce((total, one) => total + one[name], 0);
}
