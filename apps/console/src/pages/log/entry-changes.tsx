import { Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ValueChange } from '@answer-evidence/contracts';
import { DataTable } from '../../components/data-table.tsx';
import { PlainText } from '../../components/plain-text.tsx';

/** What an entry changed, from what to what. */
export function EntryChanges({ changes }: { readonly changes: readonly ValueChange[] }) {
  const { t } = useTranslation();
  return (
    <section aria-labelledby="changes" className="section">
      <Title order={2} size="h4" id="changes" mb="sm">
        {t('log.changes')}
      </Title>
      {changes.length === 0 ? (
        <Text c="dimmed">{t('log.noChanges')}</Text>
      ) : (
        <DataTable
          caption={t('log.changes')}
          rows={changes}
          keyOf={({ name }) => name}
          columns={[
            { id: 'name', title: t('log.value'), cell: ({ name }) => <ValueName name={name} /> },
            { id: 'before', title: t('log.before'), cell: ({ before }) => <Value of={before} /> },
            { id: 'after', title: t('log.after'), cell: ({ after }) => <Value of={after} /> },
          ]}
        />
      )}
    </section>
  );
}

/** A setting by its name in the settings or the policy, and as the API has it. */
function ValueName({ name }: { readonly name: string }) {
  const { t } = useTranslation();
  const known = t([`settings.${name}`, `policy.${name}`], { defaultValue: '' });
  return (
    <>
      {known !== '' && <div>{known}</div>}
      <span className="mono muted">
        <PlainText text={name} />
      </span>
    </>
  );
}

function Value({ of: value }: { readonly of: unknown }) {
  if (value === null) return <>–</>;
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 1);
  return (
    <span className="mono lines">
      <PlainText text={text} />
    </span>
  );
}
