import { BarChart as Bars, type BarChartProps } from '@mantine/charts';
import styles from '@mantine/charts/styles.css?url';

/** Bars, with the styles of charts, which no other page waits for. */
export function BarChart(props: BarChartProps) {
  return (
    <>
      <link rel="stylesheet" href={styles} precedence="charts" />
      <Bars {...props} />
    </>
  );
}
