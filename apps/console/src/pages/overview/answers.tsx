import { Title } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { Overview, OverviewCounts } from '@answer-evidence/contracts';
import { Chip } from '../../components/chip.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { Waiting } from '../../components/waiting.tsx';
import classes from './overview.module.css';
import { lastDayOf, planChart } from './plan-chart.ts';

const AnswersChart = lazy(() => import('./answers-chart.tsx').then((file) => ({ default: file.AnswersChart })));

/** What the counts of answers say besides how many were recorded, with its colour. */
const STATES = [
  ['corrected', 'yellow'],
  ['voided', 'gray'],
  ['redacted', 'gray'],
  ['missing', 'red'],
] as const;

type Props = { readonly overview: Overview; readonly isOther: boolean; readonly children: ReactNode };

/** How many answers there were: a chart, what became of them, and all figures as a table. */
export function Answers({ overview, isOther, children }: Props) {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const { counts, unit } = overview;
  const sumOf = (name: 'recorded' | (typeof STATES)[number][0]) => counts.reduce((sum, one) => sum + one[name], 0);
  const recorded = sumOf('recorded');
  const showDays = (from: string, application: string | null) => ({
    created_after: from,
    created_before: lastDayOf(unit, from),
    ...(application === null ? {} : { application_key: application }),
  });
  return (
    <section className={classes['panel']} aria-labelledby="answers" aria-busy={isOther}>
      <div className={classes['head']}>
        <Title order={2} size="h4" id="answers">
          {t(`overview.answersPer.${unit}`)}
        </Title>
        <Chip color="blue">{t('overview.recordedChip', { value: recorded })}</Chip>
        {STATES.map(([name, color]) => {
          const count = sumOf(name);
          if (count === 0) return null;
          const values = { value: count, share: recorded === 0 ? 0 : count / recorded };
          return (
            <Chip key={name} color={color}>
              {t(`overview.chips.${name}`, values)}
            </Chip>
          );
        })}
        {children}
      </div>
      {counts.length === 0 ? (
        <p className={classes['well']}>{t('overview.noAnswers')}</p>
      ) : (
        <Suspense fallback={<Waiting />}>
          <AnswersChart
            chart={planChart(overview)}
            unit={unit}
            language={i18n.language}
            onOpen={(from) => void navigate({ to: '/records', search: showDays(from, null) })}
          />
        </Suspense>
      )}
      <details className={classes['table']}>
        <summary>{t('overview.table')}</summary>
        <DataTable
          caption={t(`overview.answersPer.${unit}`)}
          columns={columnsOf(t, showDays)}
          rows={counts.toReversed()}
          keyOf={({ from, application_key: name }) => `${from} ${name === null ? '' : `of ${name}`}`}
        />
      </details>
    </section>
  );
}

function columnsOf(
  t: (key: string) => string,
  showDays: (from: string, application: string | null) => Readonly<Record<string, string>>,
): readonly Column<OverviewCounts>[] {
  const number = (name: 'recorded' | 'corrected' | 'voided' | 'redacted' | 'listed' | 'missing') => ({
    id: name,
    title: t(`overview.columns.${name}`),
    cell: (counts: OverviewCounts) => counts[name],
  });
  return [
    {
      id: 'from',
      title: t('overview.columns.from'),
      cell: ({ from, application_key: name }) => (
        <Link to="/records" search={showDays(from, name)}>
          {from}
        </Link>
      ),
    },
    {
      id: 'application',
      title: t('records.application'),
      cell: ({ application_key: name }) => (name === null ? t('overview.others') : <PlainText text={name} />),
    },
    number('recorded'),
    ...STATES.slice(0, 3).map(([name]) => number(name)),
    number('listed'),
    number('missing'),
    { id: 'readings', title: t('overview.columns.readings'), cell: ({ readings }) => readings ?? '–' },
  ];
}
