import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { AnswerRecord, Verification } from '@answer-evidence/contracts';
import { ErrorState } from '../../components/error-state.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { Time } from '../../components/time.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { useSession } from '../../session/session-context.tsx';
import classes from './record.module.css';
import { formatSpan } from './span-of.ts';

/** How long no anchor attested the record, and what was found when it was compared with a list. The service says so. */
export function RecordAttestations({ record }: { readonly record: AnswerRecord }) {
  const { t } = useTranslation();
  const { client, session } = useSession();
  const query = useQuery({
    queryKey: ['record-verified', session.workspace.id, record.id, record.events?.length],
    queryFn: () => client.records.verify(record.id),
  });
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
      <Text size="sm">{t('vouching.ownWord')}</Text>
    </section>
  );
}

function Findings({ record, verification }: { readonly record: AnswerRecord; readonly verification: Verification }) {
  const { t, i18n } = useTranslation();
  const { anchoring, sequenced, checks } = verification;
  const until = sequenced.not_later_than;
  const exposed = Date.parse(until ?? new Date().toISOString()) - Date.parse(record.created_at);
  const compared = checks.find(({ check }) => check === 'reconciliation');
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
            {t(`vouching.compared.${compared.outcome}`)} <PlainText text={compared.detail} />
          </dd>
        </div>
      )}
    </dl>
  );
}
