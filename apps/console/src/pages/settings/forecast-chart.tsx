import { useTranslation } from 'react-i18next';
import type { ForecastSpan } from '@answer-evidence/contracts';
import { BarChart } from '../../components/bar-chart.tsx';
import { regionOf } from '../../components/region-of.ts';

type Props = { readonly spans: readonly ForecastSpan[]; readonly language: string };

/** Texts by the month in which they are erased; what comes after these months is the last bar. */
export function ForecastChart({ spans, language }: Props) {
  const { t } = useTranslation();
  const month = new Intl.DateTimeFormat(regionOf(language), { month: 'short', year: '2-digit', timeZone: 'UTC' });
  const number = new Intl.NumberFormat(language);
  const compact = new Intl.NumberFormat(language, { notation: 'compact' });
  const data = spans.map(({ from, before, texts }) => ({
    name: before === null ? t('forecast.later') : month.format(new Date(from)),
    texts,
  }));
  return (
    <div role="img" aria-label={t('forecast.chart')} data-chart={data.length}>
      <BarChart
        h={200}
        data={data}
        dataKey="name"
        series={[{ name: 'texts', label: t('forecast.texts'), color: 'blue.6' }]}
        valueFormatter={(value) => number.format(value)}
        xAxisProps={{ minTickGap: 12 }}
        yAxisProps={{ allowDecimals: false, tickFormatter: (value: number) => compact.format(value) }}
        barChartProps={{ accessibilityLayer: false }}
        barProps={{ isAnimationActive: false }}
        maxBarWidth={28}
      />
    </div>
  );
}
