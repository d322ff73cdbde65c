import { Text, Title } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { ForecastSpan } from '@answer-evidence/contracts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { regionOf } from '../../components/region-of.ts';
import { Waiting } from '../../components/waiting.tsx';
import { useWorkspaceQuery } from '../../session/workspace-query.ts';

const ForecastChart = lazy(async () => ({ default: (await import('./forecast-chart.tsx')).ForecastChart }));

/** How many texts will be erased when, as their time stands now: as a chart, and the same as a table. */
export function RetentionForecast() {
  const { t, i18n } = useTranslation();
  const forecast = useWorkspaceQuery(['settings', 'forecast'], (client) => client.settings.forecast());
  const month = new Intl.DateTimeFormat(regionOf(i18n.language), { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const nameOf = ({ from, before }: ForecastSpan) =>
    before === null ? t('forecast.later') : month.format(new Date(from));
  const count = new Intl.NumberFormat(i18n.language);
  const sayCount = ({ texts, relation }: Pick<ForecastSpan, 'texts' | 'relation'>) =>
    relation === 'gte' ? t('forecast.moreThan', { texts: count.format(texts) }) : count.format(texts);
  const columns: readonly Column<ForecastSpan>[] = [
    { id: 'when', title: t('forecast.when'), cell: nameOf },
    { id: 'texts', title: t('forecast.texts'), cell: sayCount },
  ];
  return (
    <section className="section" aria-labelledby="forecast">
      <Title order={2} size="h4" id="forecast" mb="xs">
        {t('forecast.title')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('forecast.text')}
      </Text>
      <Loaded query={forecast}>
        {({ overdue, on_hold: onHold, spans }) => (
          <>
            {overdue.texts > 0 && <Text mb="sm">{t('forecast.overdue', { texts: sayCount(overdue) })}</Text>}
            {onHold.texts > 0 && <Text mb="sm">{t('forecast.onHold', { texts: sayCount(onHold) })}</Text>}
            {spans.every(({ texts }) => texts === 0) ? (
              <Text>{t('forecast.none')}</Text>
            ) : (
              <>
                <Suspense fallback={<Waiting />}>
                  <ForecastChart spans={spans} language={i18n.language} />
                </Suspense>
                <details>
                  <summary>{t('overview.table')}</summary>
                  <DataTable caption={t('forecast.title')} columns={columns} rows={spans} keyOf={({ from }) => from} />
                </details>
              </>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}
