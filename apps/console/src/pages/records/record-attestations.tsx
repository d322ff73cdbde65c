import { Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { AnswerRecord, Verification } from '@answer-evidence/contracts';
import { chooseLanguage, sayDetail } from '@answer-evidence/verify';
import { ErrorState } from '../../components/error-state.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { Time } from '../../components/time.tsx';
import { Waiting } from '../../components/waiting.tsx';
import classes from './record.module.css';
import { useServiceVerification } from './record-story.tsx';
import { SameMessage } from './same-message.tsx';
import { formatSpan } from './span-of.ts';

/** What the check says names the run whose list the record was compared with. */
const NAMED_RUN = /\brun ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b/;

/** How long no anchor attested the record, and what was found when it was compared with a list. The service says so. */
export function RecordAttestations({ record }: { readonly record: AnswerRecord }) {
  const { t } = useTranslation();
  const query = useServiceVerification(record);
  return (
    <section aria-labelledby="vouching" className={classes['section']}>
      <Title order={2} size="h4" id="vouching">
        {t('vouching.title')}
      </Title>
      {query.isPending ? (
        <Waiting />
      ) : query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Findings record={record} verification={query.data} />
      )}
      <SameMessage record={record} />
      <Text size="sm" c="dimmed" mt="sm">
        {t('vouching.ownWord')}
      </Text>
    </section>
  );
}

function Findings({ record, verification }: { readonly record: AnswerRecord; readonly verification: Verification }) {
  const { t, i18n } = useTranslation();
  const { anchoring, sequenced, checks } = verification;
  const until = sequenced.not_later_than;
  const exposed = Date.parse(until ?? new Date().toISOString()) - Date.parse(record.created_at);
  const compared = checks.find(({ check }) => check === 'reconciliation');
  const runId = compared === undefined ? undefined : NAMED_RUN.exec(compared.detail)?.[1];
  return (
    <dl className={classes['facts']}>
      <div>
        <dt>{t('verify.anchoring')}</dt>
        <dd>{t(`anchoring.${anchoring}`)}</dd>
      </div>
      <div>
        <dt>{t('vouching.exposure')}</dt>
        <dd>
          {t(until === null ? 'vouching.exposed' : 'vouching.wasExposed', {
            span: formatSpan(exposed, i18n.language),
          })}
          {until !== null && (
            <>
              {' '}
              (<Time at={until} />)
            </>
          )}
        </dd>
      </div>
      {compared !== undefined && (
        <div>
          <dt>{t('vouching.lists')}</dt>
          <dd>
            {t(`vouching.compared.${compared.outcome}`)}
            <Text size="sm" c="dimmed" component="div">
              <PlainText text={sayDetail(compared.detail, chooseLanguage([i18n.language]))} />
            </Text>
            {runId !== undefined && (
              <Link to="/reconciliation/$runId" params={{ runId }}>
                {t('vouching.run')}
              </Link>
            )}
          </dd>
        </div>
      )}
    </dl>
  );
}
