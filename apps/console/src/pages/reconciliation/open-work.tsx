import { Progress, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { ListedRun } from '@answer-evidence/contracts';
import { Chip } from '../../components/chip.tsx';
import classes from './reconciliation.module.css';

/** How much of a run is still open: a way to it, and how far the work has come. */
export function OpenWork({ run: { id, work } }: { readonly run: ListedRun }) {
  const { t } = useTranslation();
  if (work === null || work === undefined) return '–';
  const all = work.open + work.resolved;
  if (all === 0) return <span className="muted">{t('runs.noFinding')}</span>;
  return (
    <div className={classes['work']}>
      {work.open === 0 ? (
        t('runs.allResolved')
      ) : (
        <Link to="/reconciliation/$runId" params={{ runId: id }} search={{ state: 'open' }}>
          {t('runs.open', { count: work.open })}
        </Link>
      )}
      <Progress size="xs" value={(100 * work.resolved) / all} aria-hidden />
      <Text size="xs" c="dimmed">
        {t('runs.workOf', { resolved: work.resolved, all, assigned: work.assigned })}
      </Text>
      {(work.overdue ?? 0) > 0 && (
        <Link to="/reconciliation/$runId" params={{ runId: id }} search={{ due: 'overdue', sort: 'due' }}>
          <Chip color="red" icon="warning">
            {t('triage.overdueOf', { count: work.overdue })}
          </Chip>
        </Link>
      )}
    </div>
  );
}
