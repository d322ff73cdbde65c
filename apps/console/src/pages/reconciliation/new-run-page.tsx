import { Alert, Button, FileInput, Group, NativeSelect, Stack, Text, TextInput, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LATENESS_SECONDS_DEFAULT, MATCH_FIELDS, type MatchField, REFERENCES_MAX } from '@answer-evidence/contracts';
import { ActionError } from '../../components/action-error.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { FileName } from '../../components/file-name.tsx';
import { listOf, Offered } from '../../components/offered.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { nameControls } from '../../components/split-controls.ts';
import { useAction } from '../../components/use-action.ts';
import { useKnownNames } from '../../components/use-known-names.ts';
import { useSession } from '../../session/session-context.tsx';
import { useReload } from '../../session/workspace-query.ts';
import { guessMapping, type List, ListError, type Mapping, mapRows, readList, REFERENCE_FIELDS } from './read-list.ts';
import classes from './reconciliation.module.css';
import { WindowFields } from './window-fields.tsx';
import { type Window, windowOf } from './window-of.ts';

const PREVIEW_ROWS = 5;

/** Compares a list of the application's own answers with the records. Nothing is sent before it is asked for. */
export function NewRunPage() {
  const { t } = useTranslation();
  const { client } = useSession();
  const reload = useReload();
  const navigate = useNavigate();
  const [application, setApplication] = useState('');
  const [environment, setEnvironment] = useState('');
  const [matchOn, setMatchOn] = useState<MatchField>('idempotency_key');
  const [lateness, setLateness] = useState(String(LATENESS_SECONDS_DEFAULT));
  const [span, setSpan] = useState<Window>({ start: '', end: '' });
  const [isExact, setExact] = useState(false);
  const names = useKnownNames();
  const [list, setList] = useState<List | null>(null);
  const [mapping, setMapping] = useState<Mapping>({});
  const [fileFault, setFileFault] = useState<string | null>(null);
  const { isBusy, error, run } = useAction();
  // Each of thousands of rows is judged: not at every key that is pressed.
  const mapped = useMemo(() => (list === null ? null : mapRows(list, mapping)), [list, mapping]);
  const isReady =
    application.trim() !== '' && mapped !== null && mapped.references.length > 0 && mapped.faults.length === 0;

  async function choose(file: File | null): Promise<void> {
    setFileFault(null);
    setList(null);
    if (file === null) return;
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
      const read = readList(file.name, text);
      setList(read);
      remap(read, guessMapping(read.columns));
    } catch (failed) {
      if (failed instanceof ListError) setFileFault(t(`newRun.refused.${failed.code}`, failed.values));
      else if (failed instanceof TypeError) setFileFault(t('newRun.refused.encoding'));
      else setFileFault(failed instanceof Error ? failed.message : String(failed));
    }
  }

  function remap(from: List, next: Mapping): void {
    setMapping(next);
    const found = windowOf(mapRows(from, next).references.map(({ occurred_at: at }) => at));
    setExact(false);
    setSpan(found ?? { start: '', end: '' });
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (mapped === null || !isReady) return;
    await run(async () => {
      const made = await client.reconciliations.create({
        application_key: application.trim(),
        ...(environment.trim() === '' ? {} : { environment: environment.trim() }),
        window_start: span.start,
        window_end: span.end,
        match_on: matchOn,
        max_lateness_seconds: Number(lateness),
        references: [...mapped.references],
      });
      await reload('runs');
      await navigate({ to: '/reconciliation/$runId', params: { runId: made.id } });
    });
  }

  const columns: readonly Column<{ readonly at: number; readonly row: List['rows'][number] }>[] = (
    list?.columns ?? []
  ).map((name) => ({ id: name, title: name, cell: ({ row }) => <PlainText text={row.get(name) ?? ''} /> }));
  return (
    <>
      <PageHead title={t('runs.new')} />
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          <Text>{t('newRun.text')}</Text>
          <FileInput
            label={t('newRun.file')}
            description={t('newRun.fileHint', { max: REFERENCES_MAX })}
            placeholder={t('newRun.choose')}
            accept=".csv,.jsonl,.ndjson,text/csv"
            onChange={(file) => void choose(file)}
            error={fileFault === null ? null : nameControls(fileFault)}
            valueComponent={FileName}
            maw={420}
          />
          {list !== null && mapped !== null && (
            <>
              <div className={classes['bar']}>
                {REFERENCE_FIELDS.map((field) => (
                  <NativeSelect
                    key={field}
                    label={t(`newRun.${field}`)}
                    value={mapping[field] ?? ''}
                    onChange={(event) => remap(list, { ...mapping, [field]: event.currentTarget.value })}
                    data={[{ value: '', label: t('newRun.noColumn') }, ...optionsOf(list)]}
                  />
                ))}
              </div>
              <Title order={2} size="h5">
                {t('newRun.preview', { shown: Math.min(PREVIEW_ROWS, list.rows.length), count: list.rows.length })}
              </Title>
              <DataTable
                caption={t('newRun.file')}
                columns={columns}
                rows={list.rows.slice(0, PREVIEW_ROWS).map((row, at) => ({ at, row }))}
                keyOf={({ at }) => String(at + 1)}
              />
              {mapped.faults.length > 0 && (
                <Alert color="red" role="alert" title={t('newRun.faults')}>
                  <ul className="plain-list">
                    {mapped.faults.map(({ row, detail }) => (
                      <li key={row}>
                        <PlainText text={t('newRun.fault', { row, detail })} />
                      </li>
                    ))}
                  </ul>
                </Alert>
              )}
            </>
          )}
          <div className={classes['bar']}>
            <TextInput
              label={t('records.application')}
              value={application}
              onChange={(event) => setApplication(event.currentTarget.value)}
              required
              spellCheck={false}
              {...listOf('known-applications', names.applications)}
            />
            <Offered id="known-applications" values={names.applications} />
            <TextInput
              label={t('records.environment')}
              value={environment}
              onChange={(event) => setEnvironment(event.currentTarget.value)}
              spellCheck={false}
              {...listOf('known-environments', names.environments)}
            />
            <Offered id="known-environments" values={names.environments} />
            <NativeSelect
              label={t('newRun.matchOn')}
              value={matchOn}
              onChange={(event) =>
                setMatchOn(MATCH_FIELDS.find((name) => name === event.currentTarget.value) ?? matchOn)
              }
              data={MATCH_FIELDS.map((value) => ({ value, label: t(`keys.${value}`) }))}
            />
            <TextInput
              label={t('newRun.lateness')}
              value={lateness}
              onChange={(event) => setLateness(event.currentTarget.value)}
              inputMode="numeric"
            />
            <WindowFields
              value={span}
              isExact={isExact}
              onExact={(next) => {
                setExact(next);
                // Whole days have every answer in them that the exact times had.
                if (!next) setSpan(windowOf(knownTimes(span)) ?? span);
              }}
              onChange={setSpan}
            />
          </div>
          <ActionError error={error} />
          <Group>
            <Button type="submit" loading={isBusy} disabled={!isReady}>
              {t('newRun.compare')}
            </Button>
          </Group>
        </Stack>
      </form>
    </>
  );
}

/** A column can only be chosen by its own name, whatever is shown of it. */
function optionsOf({ columns }: List): readonly { readonly value: string; readonly label: string }[] {
  return columns.map((value) => ({ value, label: nameControls(value) }));
}

/** Times from which the days of a window follow: its end is no part of it. */
function knownTimes({ start, end }: Window): readonly string[] {
  const last = Date.parse(end) - 1;
  return [start, ...(Number.isNaN(last) ? [] : [new Date(last).toISOString()])];
}
