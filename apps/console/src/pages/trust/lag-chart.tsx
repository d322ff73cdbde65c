import { Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { Time } from '../../components/time.tsx';
import type { Lag, LagSeries } from './plan-lag.ts';
import { planScale } from './plan-scale.ts';
import classes from './trust.module.css';

const [WIDTH, HEIGHT, EDGE] = [320, 120, 8] as const;
/** Room for the words beside the lines. */
const MARGIN = 52;
const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** How long each witness and anchor took, one plot per name over the same checkpoints, and all figures as a table. */
export function LagChart({ lag: { checkpoints, series } }: { readonly lag: Lag }) {
  const { t, i18n } = useTranslation();
  if (series.length === 0 || checkpoints.length === 0) return null;
  const columns: readonly Column<number>[] = [
    {
      id: 'at',
      title: t('lag.published'),
      cell: (at) => {
        const { at: published, treeSize } = checkpoints[at] ?? { at: '', treeSize: 0 };
        return (
          <>
            <Time at={published} /> <span className="muted">{t('trust.entries', { count: treeSize })}</span>
          </>
        );
      },
    },
    ...series.map(({ kind, name, lagsSeconds }) => ({
      id: `${kind} ${name}`,
      title: name,
      cell: (at: number) => {
        const seconds = lagsSeconds[at] ?? null;
        return seconds === null ? t('lag.notYet') : formatLag(seconds, i18n.language);
      },
    })),
  ];
  return (
    <section aria-labelledby="lag" className="section">
      <Title order={2} size="h4" id="lag" mb="sm">
        {t('lag.title')}
      </Title>
      <Text>{t('lag.text')}</Text>
      <ul className={classes['plots']}>
        {series.map((one) => (
          <li key={`${one.kind} ${one.name}`}>
            <Plot series={one} />
          </li>
        ))}
      </ul>
      <details>
        <summary>{t('lag.table')}</summary>
        <DataTable
          caption={t('lag.title')}
          columns={columns}
          rows={[...checkpoints.keys()].toReversed()}
          keyOf={String}
        />
      </details>
    </section>
  );
}

function Plot({ series: { kind, name, lagsSeconds } }: { readonly series: LagSeries }) {
  const { t, i18n } = useTranslation();
  const known = lagsSeconds.filter((seconds) => seconds !== null);
  const worst = Math.max(0, ...known);
  const missing = lagsSeconds.length - known.length;
  const last = lagsSeconds.at(-1) ?? null;
  const { placeOf, lines } = planScale(worst);
  const xOf = (at: number) =>
    lagsSeconds.length < 2
      ? (MARGIN + WIDTH) / 2
      : MARGIN + EDGE + (at / (lagsSeconds.length - 1)) * (WIDTH - MARGIN - 2 * EDGE);
  const yOf = (seconds: number) => HEIGHT - EDGE - placeOf(seconds) * (HEIGHT - 2 * EDGE);
  const text = [
    last === null ? t('lag.lastNotYet') : t('lag.last', { lag: formatLag(last, i18n.language) }),
    ...(known.length === 0 ? [] : [t('lag.worst', { lag: formatLag(worst, i18n.language) })]),
    ...(missing === 0 ? [] : [t('lag.missing', { count: missing })]),
  ].join(' · ');
  return (
    <figure>
      <Title order={3} size="h6">
        {t(`lagKinds.${kind}`)} <PlainText text={name} />
      </Title>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${name}: ${text}`}>
        {[0, ...lines].map((seconds) => (
          <g key={seconds}>
            <line className={classes['axis']} x1={MARGIN} x2={WIDTH} y1={yOf(seconds)} y2={yOf(seconds)} />
            {seconds > 0 && (
              <text className={classes['tick']} x={MARGIN - 6} y={yOf(seconds)}>
                {formatLag(seconds, i18n.language)}
              </text>
            )}
          </g>
        ))}
        {lagsSeconds.map((seconds, at) => {
          const next = lagsSeconds[at + 1];
          return seconds === null || next === null || next === undefined ? null : (
            <line
              key={at}
              className={classes['trail']}
              x1={xOf(at)}
              y1={yOf(seconds)}
              x2={xOf(at + 1)}
              y2={yOf(next)}
            />
          );
        })}
        {lagsSeconds.map((seconds, at) =>
          seconds === null ? (
            <path key={at} className={classes['uncovered']} d={`M ${xOf(at) - 3} 3 l 6 6 m 0 -6 l -6 6`} />
          ) : (
            <circle key={at} className={classes['point']} cx={xOf(at)} cy={yOf(seconds)} r="2.5" />
          ),
        )}
      </svg>
      <figcaption>{text}</figcaption>
    </figure>
  );
}

function formatLag(seconds: number, language: string): string {
  const [unit, size] = UNITS.find(([, length]) => seconds >= length) ?? ['second', 1];
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: 1,
  }).format(seconds / size);
}
