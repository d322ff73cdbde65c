import { useTranslation } from 'react-i18next';
import { BarChart } from '../../components/bar-chart.tsx';
import { regionOf } from '../../components/region-of.ts';
import { nameControls } from '../../components/split-controls.ts';
import type { RunBar } from './plan-runs.ts';

type Props = {
  readonly bars: readonly RunBar[];
  readonly language: string;
  /** A bar was chosen. */
  readonly onOpen: (runId: string) => void;
};

/** More bars than this have no room for their figures. */
const LABELLED_MAX = 40;

/** What runs found, one bar per run by the window that it compared. Bars are numbers here: windows can be equal. */
export function RunsChart({ bars, language, onOpen }: Props) {
  const { t } = useTranslation();
  const day = new Intl.DateTimeFormat(regionOf(language), { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const number = new Intl.NumberFormat(language);
  const data = bars.map(({ missing, late, unexpected }, at) => ({ at, missing, late, unexpected }));
  const nameOf = (at: unknown) => day.format(new Date(bars[Number(at)]?.start ?? 0));
  const describe = (at: unknown) => `${nameOf(at)} · ${nameControls(bars[Number(at)]?.application ?? '')}`;
  return (
    <div role="img" aria-label={t('runs.trendText')} data-chart={bars.length}>
      <BarChart
        h={220}
        data={data}
        dataKey="at"
        type="stacked"
        series={[
          { name: 'missing', label: t('findings.missing_service'), color: 'red.7' },
          { name: 'late', label: t('findings.late_service'), color: 'yellow.6' },
          { name: 'unexpected', label: t('findings.unexpected_service'), color: 'violet.5' },
        ]}
        withLegend
        legendProps={{ verticalAlign: 'bottom' }}
        withBarValueLabel={bars.length <= LABELLED_MAX}
        valueLabelProps={({ name }) => ({
          // A stacked bar would else be labelled with the height that it reaches.
          dataKey: name,
          position: 'inside',
          fill: 'white',
          formatter: (value: unknown) => (Number(value) === 0 ? '' : number.format(Number(value))),
        })}
        valueFormatter={(value) => number.format(value)}
        xAxisProps={{ tickFormatter: nameOf, minTickGap: 24 }}
        yAxisProps={{ allowDecimals: false }}
        tooltipProps={{ labelFormatter: describe }}
        barChartProps={{
          accessibilityLayer: false,
          onClick: ({ activeLabel }) => {
            const bar = bars[Number(activeLabel)];
            if (bar !== undefined) onOpen(bar.id);
          },
        }}
        barProps={{ isAnimationActive: false, cursor: 'pointer' }}
        maxBarWidth={28}
      />
    </div>
  );
}
