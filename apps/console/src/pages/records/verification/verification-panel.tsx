import { Alert, Button, Checkbox, Group, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toCall } from '@answer-evidence/client/calls';
import type { RevealRequest, TrustFile } from '@answer-evidence/contracts';
import { getAnswerProof, revealAnswerProof } from '@answer-evidence/contracts/operations';
import { createTrustFile } from '@answer-evidence/verify';
import { CONSOLE_PATH } from '../../../api/place.ts';
import { describeError, ErrorState } from '../../../components/error-state.tsx';
import { saveFile } from '../../../components/save-file.ts';
import { nameControls } from '../../../components/split-controls.ts';
import { useSession } from '../../../session/session-context.tsx';
import { useReload, useWorkspaceQuery } from '../../../session/workspace-query.ts';
import classes from '../record.module.css';
import { ChecksTable } from './checks-table.tsx';
import { PinnedKeys } from './pinned-keys.tsx';
import { keepPins, readPins } from './pins.ts';
import { readLogSize } from './read-log-size.ts';
import { runVerification, VerificationError } from './run-verification.ts';

/** A log with at most so many leaves is read without being asked for. */
const SMALL_LOG = 10_000;

type Props = {
  readonly recordId: string;
  /** Why the reader reads the texts; undefined while they have not asked for them. */
  readonly reason: RevealRequest | undefined;
};

/** Verifies the record in the reader's browser, by the keys that the reader pinned. */
export function VerificationPanel({ recordId, reason }: Props) {
  const { t } = useTranslation();
  const { session, readBytes } = useSession();
  const [pins, setPins] = useState(() => readPins(localStorage, session.workspace.id));
  const logUrl = `${location.origin}${CONSOLE_PATH}/tlog/${encodeURIComponent(session.workspace.slug)}`;
  // Undefined: as long as the log is small, it is read.
  const [chosen, setWithLog] = useState<boolean>();
  const size = useQuery({ queryKey: ['log-size', logUrl], queryFn: () => readLogSize(logUrl), retry: false });
  const withLog = chosen ?? (size.data !== undefined && size.data <= SMALL_LOG);
  const named = useWorkspaceQuery(['trust-file'], async (client) =>
    createTrustFile(await client.trust.keys(), await client.trust.policy()),
  );
  const reload = useReload();
  // With the texts it is one more reading of them, which the log has under the same reason.
  async function readBundle(): Promise<Uint8Array> {
    const params = { answer_log_id: recordId };
    if (reason === undefined) return readBytes(toCall(getAnswerProof, { params }));
    const bundle = await readBytes(toCall(revealAnswerProof, { params, body: reason }));
    void reload('reveals');
    return bundle;
  }
  const run = useMutation({
    mutationFn: async (trust: TrustFile) => {
      const bundle = await readBundle();
      return runVerification({ bundle, trust, ...(withLog ? { logUrl } : {}) });
    },
  });
  const save = useMutation({
    mutationFn: async () => saveFile(`${recordId}.bundle.json`, 'application/json', [await readBundle()]),
  });
  const pin = (trust: TrustFile | null) => {
    keepPins(localStorage, session.workspace.id, trust);
    setPins(trust);
    run.reset();
  };
  const trust = pins ?? named.data;

  return (
    <section aria-labelledby="verification" className={classes['section']}>
      <Title order={2} size="h4" id="verification">
        {t('verify.title')}
      </Title>
      <Text>{t('verify.intro')}</Text>
      <Text size="sm" c="dimmed" mt="xs">
        {t('verify.pageTrust')}
      </Text>
      <Text size="sm" c="dimmed" mb="sm">
        {t(reason === undefined ? 'verify.textsWithheld' : 'verify.textsRevealed')}
      </Text>
      {named.isError && <ErrorState error={named.error} onRetry={() => void named.refetch()} />}
      {named.data !== undefined && <PinnedKeys pins={pins} named={named.data} onPin={pin} />}
      <Checkbox
        my="sm"
        label={t('verify.withLog')}
        description={t('verify.withLogHint')}
        checked={withLog}
        onChange={(event) => setWithLog(event.currentTarget.checked)}
      />
      <Group>
        <Button
          disabled={trust === undefined}
          loading={run.isPending}
          onClick={() => trust !== undefined && run.mutate(trust)}
        >
          {t('verify.run')}
        </Button>
        <Button variant="default" loading={save.isPending} onClick={() => save.mutate()}>
          {t('verify.saveBundle')}
        </Button>
        <Button variant="default" component="a" href={`${CONSOLE_PATH}/verify.html`} download>
          {t('verify.saveVerifier')}
        </Button>
      </Group>
      {save.isError && <ErrorState error={save.error} />}
      {run.isError && (
        <Alert role="alert" color="red" mt="md" title={t('verify.nothing')} className="wrapped">
          {run.error instanceof VerificationError ? nameControls(run.error.message) : describeError(run.error, t)}
        </Alert>
      )}
      {run.data !== undefined && <ChecksTable verification={run.data} />}
    </section>
  );
}
