import { Alert, Button, FileInput, Group, Progress, Stack, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CreatedEvidenceAsset } from '@answer-evidence/contracts';
import { ActionError } from '../../components/action-error.tsx';
import { FileName } from '../../components/file-name.tsx';
import { formatSize } from '../../components/format-size.ts';
import { PageHead } from '../../components/page-head.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { useAction } from '../../components/use-action.ts';
import { useSession } from '../../session/session-context.tsx';
import { useReload } from '../../session/workspace-query.ts';
import { hashFile } from './hash-file.ts';

/** What is to be sent, under one key for as long as it stays the same. */
type Draft = {
  readonly file: File | null;
  readonly application: string;
  readonly name: string;
  readonly record: string;
  readonly key: string;
};
type Sent = { readonly asset: CreatedEvidenceAsset; readonly isHashed: boolean };

const EMPTY: Omit<Draft, 'key'> = { file: null, application: '', name: '', record: '' };

/** Keeps a file. Its bytes go straight to the service, and how far they are is shown. */
export function UploadPage() {
  const { t, i18n } = useTranslation();
  const { client, upload } = useSession();
  const reload = useReload();
  const [draft, setDraft] = useState<Draft>(() => ({ ...EMPTY, key: crypto.randomUUID() }));
  const [share, setShare] = useState<number | null>(null);
  const [sent, setSent] = useState<Sent | null>(null);
  const [isStopped, setStopped] = useState(false);
  const stop = useRef<AbortController | null>(null);
  const { isBusy, error, run } = useAction();
  useEffect(() => () => stop.current?.abort(), []);

  const change = (part: Partial<Draft>) => {
    setSent(null);
    setDraft({ ...draft, ...part, key: crypto.randomUUID() });
  };
  const isReady = draft.file !== null && draft.application.trim() !== '';

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const { file, application, name, record, key } = draft;
    if (file === null || !isReady) return;
    const controller = new AbortController();
    stop.current = controller;
    setStopped(false);
    await run(async () => {
      // A session that has ended is noticed before the bytes are on their way.
      await client.whoami();
      const sha256 = await hashFile(file);
      setShare(0);
      const asset = await upload({
        file,
        metadata: {
          application_key: application.trim(),
          ...(name.trim() === '' ? {} : { name: name.trim() }),
          ...(sha256 === undefined ? {} : { sha256 }),
        },
        ...(record.trim() === '' ? {} : { recordId: record.trim() }),
        idempotencyKey: key,
        signal: controller.signal,
        onProgress: setShare,
      });
      setDraft({ ...EMPTY, application, key: crypto.randomUUID() });
      setSent({ asset, isHashed: sha256 !== undefined });
      await reload('assets');
    });
    setStopped(controller.signal.aborted);
    setShare(null);
  }

  return (
    <>
      <PageHead title={t('upload.title')} />
      <form className="form" onSubmit={(event) => void submit(event)}>
        <Stack>
          <Text>{t('upload.text')}</Text>
          <FileInput
            label={t('upload.file')}
            description={draft.file === null ? t('upload.fileHint') : formatSize(draft.file.size, i18n.language)}
            placeholder={t('newRun.choose')}
            value={draft.file}
            onChange={(file) => change({ file })}
            valueComponent={FileName}
            disabled={isBusy}
          />
          <TextInput
            label={t('records.application')}
            description={t('upload.applicationHint')}
            value={draft.application}
            onChange={(event) => change({ application: event.currentTarget.value })}
            disabled={isBusy}
            required
            spellCheck={false}
          />
          <TextInput
            label={t('evidence.name')}
            description={t('upload.nameHint')}
            value={draft.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
            disabled={isBusy}
          />
          <TextInput
            label={t('upload.record')}
            description={t('upload.recordHint')}
            value={draft.record}
            onChange={(event) => change({ record: event.currentTarget.value })}
            disabled={isBusy}
            spellCheck={false}
          />
          {share !== null && (
            <div>
              <Progress value={share * 100} aria-label={t('upload.progress')} />
              <Text size="sm" role="status">
                {share < 1 ? t('upload.share', { percent: Math.floor(share * 100) }) : t('upload.reading')}
              </Text>
            </div>
          )}
          {isStopped ? <Alert color="yellow">{t('upload.stopped')}</Alert> : <ActionError error={error} />}
          {sent !== null && <Result sent={sent} />}
          <Group>
            <Button type="submit" loading={isBusy} disabled={!isReady}>
              {t('upload.send')}
            </Button>
            {share !== null && (
              <Button variant="default" onClick={() => stop.current?.abort()}>
                {t('upload.stop')}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </>
  );
}

function Result({ sent: { asset, isHashed } }: { readonly sent: Sent }) {
  const { t } = useTranslation();
  return (
    <Alert color="green" role="status" title={t('upload.kept')}>
      <Text>
        <Link to="/evidence/$assetId" params={{ assetId: asset.id }}>
          <PlainText text={asset.name ?? asset.id} />
        </Link>{' '}
        · {t('evidence.passages', { count: asset.segment_count })}
      </Text>
      {isHashed && <Text size="sm">{t('upload.compared')}</Text>}
      {asset.warnings?.map(({ pointer, detail }) => (
        <Text key={pointer} size="sm">
          <PlainText text={`${pointer}: ${detail}`} />
        </Text>
      ))}
    </Alert>
  );
}
