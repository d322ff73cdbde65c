import { Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ReconciliationRun } from '@answer-evidence/contracts';
import { Time } from '../../components/time.tsx';
import classes from './reconciliation.module.css';

const HEIGHT = 60;
const STEP = 24;
const RUNS_MAX = 30;

/**
 * Missing and late answers of the completed runs of this page, by the windows that they compared, the oldest first. The
 * table below has the same figures.
 */
export function Trend({ runs }: { readonly runs: readonly ReconciliationRun[] }) {
  const { t, i18n } = useTranslation();
  const bars = runs
    .flatMap(({ id, counts, window_start: start }) =>
      counts === null ? [] : [{ id, start, missing: counts.missing_service, late: counts.late_service }],
    )
    .slice(0, RUNS_MAX)
    .toSorted((one, other) => Date.parse(one.start) - Date.parse(other.start));
  const [oldest, newest] = [bars[0], bars.at(-1)];
  if (oldest === undefined || newest === undefined) return null;
  const day = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium' });
  const top = Math.max(1, ...bars.map(({ missing, late }) => missing + late));
  const heightOf = (count: number) => (count / top) * HEIGHT;
  return (
    <figure className={classes['trend']} aria-labelledby="trend">
      <Title order={2} size="h5" id="trend">
        {t('runs.trend')}
      </Title>
      <svg viewBox={`0 0 ${bars.length * STEP} ${HEIGHT}`} height={HEIGHT} role="img" aria-label={t('runs.trendText')}>
        {bars.map(({ id, start, missing, late }, at) => (
          <g key={id} transform={`translate(${at * STEP} 0)`}>
            <title>{t('runs.bar', { day: day.format(new Date(start)), missing, late })}</title>
            <rect className={classes['base']} x="3" y={HEIGHT - 1} width="18" height="1" />
            <rect
              className={classes['missing']}
              x="3"
              y={HEIGHT - heightOf(missing)}
              width="18"
              height={heightOf(missing)}
            />
            <rect
              className={classes['late']}
              x="3"
              y={HEIGHT - heightOf(missing) - heightOf(late)}
              width="18"
              height={heightOf(late)}
            />
          </g>
        ))}
      </svg>
      <figcaption>
        <Time at={oldest.start} />
        {newest !== oldest && (
          <>
            {' – '}
            <Time at={newest.start} />
          </>
        )}{' '}
        <span className={classes['missing']}>■</span> {t('findings.missing_service')}{' '}
        <span className={classes['late']}>■</span> {t('findings.late_service')}
      </figcaption>
    </figure>
  );
}
