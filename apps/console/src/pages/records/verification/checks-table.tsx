import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Outcome, Voucher } from '@answer-evidence/contracts';
import type { BundleVerification } from '@answer-evidence/package-verify';
import { chooseLanguage, sayDetail, sortByUrgency, WORDS } from '@answer-evidence/verify';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { PlainText } from '../../../components/plain-text.tsx';
import { Time } from '../../../components/time.tsx';
import classes from '../record.module.css';
import { ChecksInWords } from './checks-in-words.tsx';
import outcomes from './outcomes.module.css';

const OUTCOMES: readonly Outcome[] = ['FAIL', 'SKIP', 'PASS', 'NA'];
type Check = BundleVerification['checks'][number];

/**
 * What the checks come to in words, and below it every check with its outcome, which is open where one fails. There is no
 * verdict over several of them.
 */
export function ChecksTable({ verification }: { readonly verification: BundleVerification }) {
  const { t, i18n } = useTranslation();
  const language = chooseLanguage([i18n.language]);
  const words = WORDS[language];
  const { checks, checkpoint, anchoring, sequenced, status_as_of: asOf } = verification;
  const columns: readonly Column<Check>[] = [
    { id: 'outcome', title: t('verify.outcome'), cell: ({ outcome }) => <Badge outcome={outcome} /> },
    {
      id: 'check',
      title: t('verify.check'),
      cell: ({ check }) => (
        <>
          {words.checks[check].name} <code className="mono">{check}</code>
        </>
      ),
    },
    {
      id: 'found',
      title: t('verify.found'),
      cell: ({ detail, compared }) => (
        <>
          <PlainText text={sayDetail(detail, language)} />
          {compared !== null && compared.expected === compared.actual && (
            <details>
              <summary>{t('verify.value')}</summary>
              <span className="mono">
                <PlainText text={compared.actual} />
              </span>
            </details>
          )}
          {compared !== null && compared.expected !== compared.actual && (
            <dl className={outcomes['compared']}>
              <dt>{t('verify.expected')}</dt>
              <dd className="mono">
                <PlainText text={compared.expected} />
              </dd>
              <dt>{t('verify.actual')}</dt>
              <dd className="mono">
                <PlainText text={compared.actual} />
              </dd>
            </dl>
          )}
        </>
      ),
    },
    {
      id: 'limits',
      title: t('verify.doesNotProve'),
      cell: ({ check }) => words.checks[check].not_proved,
    },
  ];
  return (
    <div role="status">
      <Text mt="md" fw={600}>
        {t('verify.noVerdict')}
      </Text>
      <ChecksInWords checks={checks} />
      <details className={classes['folded']} open={checks.some(({ outcome }) => outcome === 'FAIL')}>
        <summary>{t('verify.details', { count: checks.length })}</summary>
        <ul className="plain-list">
          {OUTCOMES.map((outcome) => {
            const count = checks.filter((check) => check.outcome === outcome).length;
            return count === 0 ? null : (
              <li key={outcome}>
                <Badge outcome={outcome} /> {count} · {t(`outcomes.${outcome}`)}
              </li>
            );
          })}
        </ul>
        <dl className={classes['facts']}>
          <div>
            <dt>{t('verify.checkpoint')}</dt>
            <dd className="mono">
              {checkpoint === null ? (
                '–'
              ) : (
                <PlainText text={`${checkpoint.origin} ${checkpoint.tree_size} ${checkpoint.root_hash}`} />
              )}
            </dd>
          </div>
          <div>
            <dt>{t('verify.anchoring')}</dt>
            <dd>{t(`anchoring.${anchoring}`)}</dd>
          </div>
          <div>
            <dt>{t('verify.statedAt')}</dt>
            <dd>{sequenced.stated === null ? t('verify.unknown') : <Time at={sequenced.stated} />}</dd>
          </div>
          <div>
            <dt>{t('verify.after')}</dt>
            <dd>
              <WindowEnd at={sequenced.after} by={sequenced.after_by} />
            </dd>
          </div>
          <div>
            <dt>{t('verify.notLater')}</dt>
            <dd>
              <WindowEnd at={sequenced.not_later_than} by={sequenced.not_later_than_by} />
            </dd>
          </div>
          <div>
            <dt>{t('verify.asOf')}</dt>
            <dd>{asOf === null ? t('verify.unknown') : <Time at={asOf.at} />}</dd>
          </div>
        </dl>
        <div className={outcomes['table']}>
          <DataTable
            caption={t('verify.title')}
            columns={columns}
            rows={sortByUrgency(checks)}
            keyOf={({ check }) => check}
          />
        </div>
      </details>
    </div>
  );
}

function Badge({ outcome }: { readonly outcome: Outcome }) {
  return (
    <span className={outcomes['badge']} data-outcome={outcome}>
      {outcome}
    </span>
  );
}

/** One end of the window in which a record came into the log, and the parties that vouch for it. */
function WindowEnd({ at, by }: { readonly at: string | null; readonly by: readonly Voucher[] }) {
  const { t } = useTranslation();
  if (at === null) return t('verify.nobodyVouches');
  const names = by.map(({ name }) => name).join(', ');
  return (
    <>
      <Time at={at} /> ({by.length === 0 ? t('verify.operatorsWord') : t('verify.vouchedBy', { names })})
    </>
  );
}
