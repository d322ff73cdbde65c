import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { WorkspaceEntryItem } from '@answer-evidence/contracts';
import { PlainText } from '../../components/plain-text.tsx';

/** More changed values are counted. */
const NAMED_MAX = 4;

/** What an entry says, in a line: its type, and what it is about. */
export function EntrySummary({ entry }: { readonly entry: WorkspaceEntryItem }) {
  const { t } = useTranslation();
  const record = textOf(entry.core['answer_log_id']);
  const about = aboutOf(entry);
  return (
    <>
      {t(`entryTypes.${entry.type}`)}
      {(about.length > 0 || record !== undefined) && (
        <Text size="sm" c="dimmed" component="div">
          {about.map((text, at) => (
            <span key={`${at} ${text}`}>
              {at > 0 && ' · '}
              <PlainText text={text} />
            </span>
          ))}
          {record !== undefined && (
            <>
              {about.length > 0 && ' · '}
              <Link to="/records/$recordId" params={{ recordId: record }} className="mono">
                {record}
              </Link>
            </>
          )}
        </Text>
      )}
    </>
  );

  /** The names that tell entries of a type apart. */
  function aboutOf({ core, changes, names }: WorkspaceEntryItem): readonly string[] {
    if (changes !== null && changes.length > NAMED_MAX) return [t('log.values', { count: changes.length })];
    if (changes !== null) return changes.map(({ name }) => name);
    const nameOf = (id: unknown) => names.find((one) => one.id === id)?.name;
    const parts = [
      textOf(core['name']) ?? textOf(core['username']) ?? nameOf(core['token_id']),
      ...listOf(core['changes']).map((change) => t(`memberChanges.${change}`, { defaultValue: change })),
      textOf(core['application_key']),
      textOf(core['reason_code']) && t(`reveal.codes.${textOf(core['reason_code']) ?? ''}`),
      textOf(core['reason']),
      textOf(core['hash_key_id']),
      textOf(core['vkey'])?.split('+')[0],
      textOf(core['format']),
      typeof core['records'] === 'number' ? t('log.records', { count: core['records'] }) : undefined,
    ];
    return parts.filter((part): part is string => part !== undefined && part !== '');
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}
