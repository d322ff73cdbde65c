import { Button, Group, Text, Title } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { WorkspaceEntryWithReceipt } from '@answer-evidence/contracts';
import { Actor } from '../../components/actor.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { RecordLink } from '../../components/record-link.tsx';
import { saveFile } from '../../components/save-file.ts';
import { Time } from '../../components/time.tsx';
import { useWorkspaceQuery } from '../../session/workspace-query.ts';
import classes from '../records/record.module.css';
import { EntryChanges } from './entry-changes.tsx';

/** Members of a core that the page says otherwise. */
const SAID = ['id', 'nonce', 'actor', 'settings', 'policy', 'version', 'answer_log_id'];

/** A time as cores have it. */
const TIME = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;
/** A hash, an id or a structure: nothing that reads as words. */
const LONG = /^(?:sha256:|[0-9a-f-]{36}$|[{[])/;

/** One entry of the log about the workspace: what it says, what it changed, and what proves it. */
export function EntryPage() {
  const { t } = useTranslation();
  const { entryId } = useParams({ from: '/log/$entryId' });
  const query = useWorkspaceQuery(['entry', entryId], (client) => client.entries.get(entryId));
  return (
    <>
      <PageHead title={t('log.one')}>
        <Button component={Link} to="/log" variant="default">
          {t('log.all')}
        </Button>
      </PageHead>
      <Loaded query={query}>{(entry) => <Entry entry={entry} />}</Loaded>
    </>
  );
}

function Entry({ entry }: { readonly entry: WorkspaceEntryWithReceipt }) {
  const { t } = useTranslation();
  const recordId = entry.core['answer_log_id'];
  const record = typeof recordId === 'string' && <RecordLink id={recordId} />;
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t('log.what'), t(`entryTypes.${entry.type}`, entry.type)],
    [t('log.at'), <Time at={entry.created_at} />],
    [t('log.who'), entry.actor === null ? '–' : <Actor actor={entry.actor} names={entry.names} />],
    [t('records.leaf'), <span className="mono">{entry.ledger.leaf_index}</span>],
    ...(record === false ? [] : [[t('record.title'), record] as const]),
    ...Object.entries(entry.core).flatMap(([name, value]) =>
      SAID.includes(name) || value === null
        ? []
        : [[t(`entryMembers.${name}`, { defaultValue: name }), <Value key={name} of={value} />] as const],
    ),
  ];
  function Value({ of: value }: { readonly of: unknown }) {
    const name = entry.names.find(({ id }) => id === value)?.name;
    if (typeof value === 'string' && TIME.test(value)) return <Time at={value} />;
    if (Array.isArray(value) && value.length === 0) return <>–</>;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return (
      <>
        {name !== undefined && (
          <>
            <PlainText text={name} />{' '}
          </>
        )}
        <span className={name !== undefined ? 'mono muted' : LONG.test(text) ? 'mono' : undefined}>
          <PlainText text={text} />
        </span>
      </>
    );
  }
  const save = (name: string, type: string, text: string) =>
    saveFile(`${entry.id}.${name}`, type, [new TextEncoder().encode(text)]);
  return (
    <>
      <section aria-labelledby="entry" className="section">
        <Title order={2} size="h4" id="entry">
          {t('log.says')}
        </Title>
        <dl className={classes['facts']}>
          {facts.map(([name, value], at) => (
            <div key={at}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </section>
      {entry.changes !== null && <EntryChanges changes={entry.changes} />}
      <section aria-labelledby="proof" className="section">
        <Title order={2} size="h4" id="proof">
          {t('log.proof')}
        </Title>
        <Text mb="sm">{t('log.proofText')}</Text>
        <CodeBlock label={t('log.entry')} isWrapped>
          {entry.ledger.entry}
        </CodeBlock>
        <Group mt="sm">
          <Button variant="default" onClick={() => save('tlog-proof', 'text/plain', entry.receipt)}>
            {t('log.saveReceipt')}
          </Button>
          <Button variant="default" onClick={() => save('entry.json', 'application/json', entry.ledger.entry)}>
            {t('log.saveEntry')}
          </Button>
          <Button
            variant="default"
            onClick={() => save('core.json', 'application/json', JSON.stringify(entry.core, null, 2))}
          >
            {t('log.saveCore')}
          </Button>
        </Group>
      </section>
    </>
  );
}
