import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Actor } from '../../components/actor.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { Time } from '../../components/time.tsx';
import { useSession } from '../../session/session-context.tsx';
import classes from './record.module.css';

const SHOWN_MAX = 20;

/** Who read the texts of a record, when and why; for managers. */
export function RecordReveals({ recordId }: { readonly recordId: string }) {
  const { t } = useTranslation();
  const { client, session } = useSession();
  const query = useQuery({
    queryKey: ['reveals', session.workspace.id, recordId],
    queryFn: () => client.entries.list({ answer_log_id: recordId }, { size: SHOWN_MAX }),
  });
  return (
    <section aria-labelledby="reveals" className={classes['section']}>
      <Title order={2} size="h4" id="reveals">
        {t('reveals.title')}
      </Title>
      <Loaded query={query}>
        {({ items, total }) =>
          items.length === 0 ? (
            <Text c="dimmed">{t('reveals.none')}</Text>
          ) : (
            <>
              <ol className={classes['timeline']}>
                {items.map(({ id, actor, names, core, created_at: at, ledger }) => (
                  <li key={id}>
                    <strong>{actor !== null && <Actor actor={actor} names={names} />}</strong> <Time at={at} />
                    <Text size="sm">
                      <PlainText text={t(`reveal.codes.${textOf(core['reason_code'])}`)} /> ·{' '}
                      <Link to="/log/$entryId" params={{ entryId: id }}>
                        {t('timeline.leaf', { leaf: ledger.leaf_index })}
                      </Link>
                    </Text>
                    <Text className="wrapped">
                      <PlainText text={textOf(core['reason'])} />
                    </Text>
                  </li>
                ))}
              </ol>
              {total > items.length && (
                <Link to="/log" search={{ answer_log_id: recordId }}>
                  {t('reveals.all', { count: total })}
                </Link>
              )}
            </>
          )
        }
      </Loaded>
    </section>
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
