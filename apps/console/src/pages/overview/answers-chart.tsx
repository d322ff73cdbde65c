import { useTranslation } from 'react-i18next';
import type { Overview } from '@answer-evidence/contracts';
import { BarChart } from '../../components/bar-chart.tsx';
import { regionOf } from '../../components/region-of.ts';
import type { Chart } from './plan-chart.ts';

type Props = {
  readonly chart: Chart;
  readonly unit: Overview['unit'];
  readonly language: string;
  /** A bar was chosen: the first of its days. */
  readonly onOpen: (from: string) => void;
};

/** Told apart in light and dark, and beside each other also by readers who see few colours; red is for the missing. */
const COLORS = ['blue.6', 'teal.6', 'violet.5', 'cyan.5', 'indigo.4', 'lime.6', 'grape.4', 'blue.3', 'gray.5'] as const;
const DATES = {
  day: { day: 'numeric', month: 'short' },
  week: { day: 'numeric', month: 'short', year: '2-digit' },
  month: { month: 'short', year: 'numeric' },
} as const;

/** Recorded answers as stacked bars with axes. Applications are numbers here: their names are texts of others. */
export function AnswersChart({ chart: { applications, bars }, unit, language, onOpen }: Props) {
  const { t } = useTranslation();
  const format = new Intl.DateTimeFormat(regionOf(language), { ...DATES[unit], timeZone: 'UTC' });
  const compact = new Intl.NumberFormat(language, { notation: 'compact' });
  const data = bars.map(({ from, missing, values }) => ({
    from,
    missing,
    ...Object.fromEntries(values.map((value, at) => [`application${at}`, value])),
  }));
  const series = [
    ...applications.map((name, at) => ({
      name: `application${at}`,
      label: name ?? t('overview.others'),
      color: COLORS[at % COLORS.length] ?? 'gray.5',
    })),
    ...(bars.some(({ missing }) => missing > 0)
      ? [{ name: 'missing', label: t('overview.columns.missing'), color: 'red.7' }]
      : []),
  ];
  return (
    <div role="img" aria-label={t('overview.chart')} data-chart={bars.length}>
      <BarChart
        h={260}
        data={data}
        dataKey="from"
        type="stacked"
        series={series}
        withLegend
        legendProps={{ verticalAlign: 'bottom' }}
        valueFormatter={(value) => new Intl.NumberFormat(language).format(value)}
        xAxisProps={{ tickFormatter: (day: string) => format.format(new Date(day)), minTickGap: 24 }}
        yAxisProps={{ tickFormatter: (value: number) => compact.format(value), allowDecimals: false }}
        tooltipProps={{ labelFormatter: (day) => (typeof day === 'string' ? format.format(new Date(day)) : '') }}
        barChartProps={{
          accessibilityLayer: false,
          onClick: ({ activeLabel }) => {
            if (typeof activeLabel === 'string') onOpen(activeLabel);
          },
        }}
        barProps={{ isAnimationActive: false }}
        maxBarWidth={24}
      />
    </div>
  );
}
