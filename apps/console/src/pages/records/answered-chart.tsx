import { useTranslation } from 'react-i18next';
import type { MarkedFilters } from '@answer-evidence/contracts';
import { BarChart } from '../../components/bar-chart.tsx';
import { useWorkspaceQuery } from '../../session/workspace-query.ts';
import { formatDay } from './format-day.ts';

/** Imported answers by the time that is claimed for them. */
export function AnsweredChart({ filters }: { readonly filters: MarkedFilters }) {
  const { t, i18n } = useTranslation();
  const { application_key, answered_after, answered_before } = filters;
  const asked = Object.fromEntries(
    Object.entries({ application_key, answered_after, answered_before }).filter(([, value]) => value !== undefined),
  );
  const { data } = useWorkspaceQuery(['answered', asked], (client) => client.search.answered(asked));
  if (data === undefined || data.counts.length === 0) return null;
  const format = new Intl.NumberFormat(i18n.language);
  return (
    <figure aria-labelledby="answered-chart" data-chart={data.counts.length}>
      <figcaption id="answered-chart" className="muted">
        {t('records.answeredChart')}
      </figcaption>
      <div role="img" aria-label={t('records.answeredChart')}>
        <BarChart
          h={160}
          data={data.counts}
          dataKey="from"
          series={[{ name: 'records', label: t('records.title'), color: 'blue.6' }]}
          valueFormatter={(value) => format.format(value)}
          xAxisProps={{ tickFormatter: (day: string) => formatDay(day, i18n.language), minTickGap: 24 }}
          yAxisProps={{ allowDecimals: false }}
          barChartProps={{ accessibilityLayer: false }}
          barProps={{ isAnimationActive: false }}
          maxBarWidth={24}
        />
      </div>
    </figure>
  );
}
