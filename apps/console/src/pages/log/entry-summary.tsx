import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type EntryFact, factsOf, type WorkspaceEntryItem } from '@answer-evidence/contracts';
import { PlainText } from '../../components/plain-text.tsx';
import { RecordLink } from '../../components/record-link.tsx';

/** More changed values are counted. */
const NAMED_MAX = 4;

/** What an entry says, in a line: its type, and what it is about. */
export function EntrySummary({ entry }: { readonly entry: WorkspaceEntryItem }) {
  const { t } = useTranslation();
  const facts = factsOf(entry);
  const record = facts.find(({ member }) => member === 'answer_log_id')?.value;
  const about = aboutOf(entry);
  return (
    <>
      {t(`entryTypes.${entry.type}`, entry.type)}
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
              <RecordLink id={String(record)} />
            </>
          )}
        </Text>
      )}
    </>
  );

  /** The names that tell entries of a type apart. */
  function aboutOf({ changes }: WorkspaceEntryItem): readonly string[] {
    if (changes !== null && changes.length > NAMED_MAX) return [t('log.values', { count: changes.length })];
    if (changes !== null)
      return changes.map(({ name }) => t([`settings.${name}`, `policy.${name}`], { defaultValue: name }));
    const many = entry.type === 'texts_revealed' ? entry.core['answer_log_ids'] : undefined;
    const read = Array.isArray(many) ? [t('log.records', { count: many.length })] : [];
    return [...facts.filter(({ member }) => member !== 'answer_log_id').map(tell), ...read];
  }

  function tell({ member, value, name }: EntryFact): string {
    switch (member) {
      case 'changes':
        return t(`memberChanges.${value}`, { defaultValue: String(value) });
      case 'operation':
        return t(`readingsBy.${value}`, { defaultValue: String(value) });
      case 'change':
        return t(`targetChanges.${value}`, { defaultValue: String(value) });
      case 'reason_code':
        return t(`reveal.codes.${value}`, { defaultValue: String(value) });
      case 'format':
        return t(`exportFormats.${value}`, { defaultValue: String(value) });
      case 'shows':
        return t(`linkShows.${value}`, { defaultValue: String(value) });
      case 'records':
        return t('log.records', { count: Number(value) });
      case 'vkey':
        return String(value).split('+')[0] ?? '';
      default:
        return name ?? String(value);
    }
  }
}
