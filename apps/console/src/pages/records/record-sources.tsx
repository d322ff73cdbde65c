import { Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { type AnswerRecord, type JsonObject, tombstone } from '@answer-evidence/contracts';
import { PlainText } from '../../components/plain-text.tsx';
import { Time } from '../../components/time.tsx';
import { nameSource } from './name-source.ts';
import classes from './record.module.css';

/** A longer text scrolls in a frame of its own, in UTF-16 code units. */
const LONG = 600;

/** What the answer was made from: sources, retrieved passages, semantic references; a tombstone for what was erased. */
export function RecordSources({ record }: { readonly record: AnswerRecord }) {
  const { t } = useTranslation();
  const isEmpty =
    record.source_refs.length + record.semantic_refs.length + record.evidence_access_event_ids.length === 0;
  return (
    <section aria-labelledby="sources" className={classes['section']}>
      <Title order={2} size="h4" id="sources">
        {t('sources.title')}
      </Title>
      {isEmpty && <Text c="dimmed">{t('sources.none')}</Text>}
      <ul className={classes['sources']}>
        {record.source_refs.map((ref, at) => (
          <Item key={`source ${at}`} name={t('sources.source')} item={ref} />
        ))}
        {record.semantic_refs.map((ref, at) => (
          <Item key={`semantic ${at}`} name={t('sources.semantic')} item={ref} />
        ))}
        {record.evidence_access_event_ids.map((id) => (
          <li key={id}>
            <strong>{t('sources.access')}</strong> <span className="mono">{id}</span>
          </li>
        ))}
      </ul>
      {record.evidence_access_event_ids.length + record.evidence_links.length > 0 && (
        <Link to="/evidence" search={{ answer_log_id: record.id }}>
          {t('sources.evidence')}
        </Link>
      )}
    </section>
  );
}

function Item({ name, item }: { readonly name: string; readonly item: JsonObject }) {
  const { t } = useTranslation();
  const { source_ref_id: id, tombstone: grave, ...rest } = item;
  const named = nameSource(item);
  const gone = tombstone.safeParse(grave);
  // A member of that name that is no tombstone is the application's own.
  const shown = gone.success || grave === undefined ? rest : { ...rest, tombstone: grave };
  // Its name stands above.
  const others = Object.entries(shown).filter(([, value]) => value !== named);
  return (
    <li>
      <strong>{named === undefined ? name : <PlainText text={named} />}</strong>{' '}
      <span className="muted">
        {name}
        {typeof id === 'string' && id !== named && (
          <>
            {' '}
            <span className="mono">
              <PlainText text={id} />
            </span>
          </>
        )}
      </span>
      {gone.success && (
        <Text fs="italic">
          {t('sources.erased')} <Time at={gone.data.redacted_at} />
          {gone.data.reason_code !== null && (
            <>
              {' · '}
              <PlainText text={gone.data.reason_code} />
            </>
          )}
        </Text>
      )}
      {others.map(([member, value]) => (
        <div key={member}>
          <span className="muted">
            <PlainText text={member} />
          </span>{' '}
          <Value name={member} text={typeof value === 'string' ? value : JSON.stringify(value)} />
        </div>
      ))}
    </li>
  );
}

function Value({ name, text }: { readonly name: string; readonly text: string }) {
  return text.length > LONG ? <PlainText text={text} isBlock label={name} /> : <PlainText text={text} />;
}
