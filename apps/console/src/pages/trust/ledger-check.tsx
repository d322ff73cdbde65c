import { Alert, Button, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LedgerCheckReport } from '@answer-evidence/contracts';
import { ActionError } from '../../components/action-error.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { useAction } from '../../components/use-action.ts';
import { useSession } from '../../session/session-context.tsx';

/** Has the service derive its whole ledger again, and says what that does not prove. */
export function LedgerCheck() {
  const { t } = useTranslation();
  const { client } = useSession();
  const [report, setReport] = useState<LedgerCheckReport | null>(null);
  const { isBusy, error, run } = useAction();
  return (
    <section aria-labelledby="ledger-check" className="section">
      <Stack align="flex-start">
        <Title order={2} size="h4" id="ledger-check">
          {t('ledgerCheck.title')}
        </Title>
        <Text>{t('ledgerCheck.text')}</Text>
        <Button
          variant="default"
          loading={isBusy}
          onClick={() => void run(async () => setReport(await client.trust.checkLedger()))}
        >
          {t('ledgerCheck.run')}
        </Button>
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
