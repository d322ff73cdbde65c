import { Alert, Button, Progress, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LedgerCheckProgress, LedgerCheckReport } from '@answer-evidence/contracts';
import { ActionError } from '../../components/action-error.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { useAction } from '../../components/use-action.ts';
import { useSession } from '../../session/session-context.tsx';
import classes from './trust.module.css';

/** What the walk over the leaves takes of a check, in hundredths; the rows take the rest. */
const LEAVES_SHARE = 15;

/** Has the service derive its whole ledger again, and says what that does not prove. */
export function LedgerCheck() {
  const { t } = useTranslation();
  const { client } = useSession();
  const [report, setReport] = useState<LedgerCheckReport | null>(null);
  const [progress, setProgress] = useState<LedgerCheckProgress | null>(null);
  const { isBusy, error, run } = useAction();
  const check = () =>
    run(async () => {
      setReport(null);
      try {
        setReport(await client.trust.checkLedger(setProgress));
      } finally {
        setProgress(null);
      }
    });
  return (
    <section aria-labelledby="ledger-check" className="section">
      <Stack align="flex-start">
        <Title order={2} size="h4" id="ledger-check">
          {t('ledgerCheck.title')}
        </Title>
        <Text>{t('ledgerCheck.text')}</Text>
        <Button variant="default" loading={isBusy} onClick={() => void check()}>
          {t('ledgerCheck.run')}
        </Button>
        {progress !== null && (
          <div className={classes['progress']}>
            <Progress value={shareOf(progress)} aria-label={t('ledgerCheck.progress')} />
            <Text size="sm" role="status">
              {t(`ledgerCheck.${progress.part}`, { done: progress.done, of: progress.of })}
            </Text>
          </div>
        )}
        <ActionError error={error} />
        {report !== null && (
          <Alert
            role="status"
            color={report.outcome === 'PASS' ? 'green' : 'red'}
            title={t(report.outcome === 'PASS' ? 'ledgerCheck.pass' : 'ledgerCheck.fail')}
          >
            {t('ledgerCheck.checked', { count: report.entries_checked })}
            <ul className="plain-list">
              {report.findings.map((finding) => (
                <li key={JSON.stringify(finding)}>
                  <PlainText text={`${finding.check}, ${finding.object}: ${finding.detail}`} />
                </li>
              ))}
            </ul>
          </Alert>
        )}
      </Stack>
    </section>
  );
}

function shareOf({ part, done, of }: LedgerCheckProgress): number {
  const share = of === 0 ? 1 : done / of;
  return part === 'leaves' ? share * LEAVES_SHARE : LEAVES_SHARE + share * (100 - LEAVES_SHARE);
}
