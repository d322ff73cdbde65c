import { Group, Select } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { type Overview, OVERVIEW_DAYS_DEFAULT } from '@answer-evidence/contracts';
import { Loaded } from '../../components/loaded.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Time } from '../../components/time.tsx';
import { useWorkspaceQuery } from '../../session/workspace-query.ts';
import { pickTexts } from '../../shell/search.ts';
import { Answers } from './answers.tsx';
import { Attention } from './attention.tsx';
import classes from './overview.module.css';
import { Vouching } from './vouching.tsx';

const REFRESH_MS = 10_000;
/** Counts follow within a minute; later than this, something holds them up. */
const LATE_MS = 300_000;
const SPANS = ['7', '30', '90', '365', '3650'] as const;

/** What needs the reader now, and below it how many answers there were. */
export function OverviewPage() {
  const { t } = useTranslation();
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const days = SPANS.find((one) => one === search['days']) ?? String(OVERVIEW_DAYS_DEFAULT);
  const application = search['application_key'];
  const query = useWorkspaceQuery(
    ['overview', days, application],
    (client) => client.overview.get({ days: Number(days), application_key: application }),
    { refetchInterval: REFRESH_MS, placeholderData: (before) => before },
  );
  // What is chosen stays in the address. Clearing it leaves the default.
  const choose = (name: 'days' | 'application_key', value: string | null) =>
    void navigate({ to: '/', search: pickTexts({ ...search, [name]: value }), replace: true });
  const titleOf = (count: number) => (count === 0 ? t('overview.nothing') : t('overview.title', { count }));
  return (
    <Loaded query={query}>
      {(overview) => (
        <>
          <PageHead title={titleOf(countUrgent(overview))} />
          <p className={classes['asOf']}>
            <Time at={overview.now} />
            {isBehind(overview) && (
              <span role="status" className={classes['behind']} data-late={isLate(overview)}>
                {overview.counted.as_of === null ? (
                  t('overview.notCounted')
                ) : (
                  <>
                    {t('overview.countedAsOf')} <Time at={overview.counted.as_of} />
                  </>
                )}
              </span>
            )}
          </p>
          <div className={classes['columns']}>
            <Attention items={overview.attention} />
            <Vouching overview={overview} />
          </div>
          <Answers overview={overview} isOther={query.isPlaceholderData}>
            <Group gap="xs">
              <Select
                size="xs"
                w="9rem"
                aria-label={t('overview.days')}
                data={SPANS.map((value) => ({ value, label: t(`overview.spans.${value}`) }))}
                value={days}
                allowDeselect={false}
                onChange={(value) => choose('days', value)}
              />
              <Select
                size="xs"
                w="13rem"
                clearable
                searchable
                aria-label={t('records.application')}
                placeholder={t('overview.allApplications')}
                data={namesOf(overview, application)}
                value={application ?? null}
                onChange={(value) => choose('application_key', value)}
              />
            </Group>
          </Answers>
        </>
      )}
    </Loaded>
  );
}

/** Of what needs somebody, what is not only worth a look. */
function countUrgent({ attention }: Overview): number {
  return attention.filter(({ severity }) => severity !== 'low').length;
}

/** Whether the counts are not of the whole log: background work adds to them all the time. */
function isBehind({ counted, log }: Overview): boolean {
  return counted.entries < log.tree_size;
}

/** Whether that work is down or does not keep up: what was recorded last may not be among the counts for longer. */
function isLate({ counted, now }: Overview): boolean {
  return counted.as_of === null || Date.parse(now) - Date.parse(counted.as_of) > LATE_MS;
}

function namesOf({ counts }: Overview, chosen: string | undefined): string[] {
  const names = counts.flatMap(({ application_key: name }) => name ?? []);
  return [...new Set([...names, ...(chosen === undefined ? [] : [chosen])])].toSorted();
}
