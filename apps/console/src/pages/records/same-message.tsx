import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { AnswerRecord } from '@answer-evidence/contracts';
import { Loaded } from '../../components/loaded.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { StatusChip } from '../../components/status-chip.tsx';
import { Time } from '../../components/time.tsx';
import { useWorkspaceQuery } from '../../session/workspace-query.ts';
import classes from './record.module.css';

const SHOWN_MAX = 10;

/** Other records of the same message of the same application: the answer may have been recorded twice. */
export function SameMessage({ record }: { readonly record: AnswerRecord }) {
  const { t } = useTranslation();
  const { application_key: application, external_message_id: message } = record;
  const query = useWorkspaceQuery(
    ['records', 'same-message', application, message],
    (client) =>
      client.records.list(
        { application_key: application, external_message_id: message ?? '' },
        // One of them is the record itself.
        { size: SHOWN_MAX + 1 },
      ),
    { enabled: message !== null },
  );
  if (message === null) return null;
  const search = { application_key: application, external_message_id: message };
  return (
    <dl className={classes['facts']}>
      <div>
        <dt>
          {t('vouching.sameMessage')} <PlainText text={message} />
        </dt>
        <dd>
          <Loaded query={query}>
            {({ items, next_cursor: next }) => {
              const others = items.filter(({ id }) => id !== record.id).slice(0, SHOWN_MAX);
              if (others.length === 0) return t('vouching.noOther');
              return (
                <>
                  <ul className="plain-list">
                    {others.map(({ id, created_at: at, status }) => (
                      <li key={id}>
                        <Link to="/records/$recordId" params={{ recordId: id }} className="mono">
                          {id}
                        </Link>{' '}
                        <Time at={at} /> <StatusChip status={status} />
                      </li>
                    ))}
                  </ul>
                  {next !== null && (
                    <Link to="/records" search={search}>
                      {t('vouching.allOfMessage')}
                    </Link>
                  )}
                </>
              );
            }}
          </Loaded>
        </dd>
      </div>
    </dl>
  );
}
