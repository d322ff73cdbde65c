import { Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReconciliationRun } from '@answer-evidence/contracts';
import { Waiting } from '../../components/waiting.tsx';
import { planRuns } from './plan-runs.ts';
import classes from './reconciliation.module.css';

const RunsChart = lazy(async () => ({ default: (await import('./runs-chart.tsx')).RunsChart }));

/** What the completed runs of this page found, each bar a way to its run. The table below has the same figures. */
export function Trend({ runs }: { readonly runs: readonly ReconciliationRun[] }) {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const bars = planRuns(runs);
  if (bars.length === 0) return null;
  return (
    <section className={`section ${classes['trend'] ?? ''}`} aria-labelledby="trend">
      <Title order={2} size="h4" id="trend" mb="sm">
        {t('runs.trend')}
      </Title>
      <Suspense fallback={<Waiting />}>
        <RunsChart
          bars={bars}
          language={i18n.language}
          onOpen={(runId) => void navigate({ to: '/reconciliation/$runId', params: { runId } })}
        />
      </Suspense>
    </section>
  );
}
