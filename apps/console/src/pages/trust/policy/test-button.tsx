import { Alert, Button, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TrustTest } from '@answer-evidence/contracts';
import { ActionError } from '../../../components/action-error.tsx';
import { PlainText } from '../../../components/plain-text.tsx';
import { Time } from '../../../components/time.tsx';
import { useAction } from '../../../components/use-action.ts';

const COLORS = { works: 'green', failed: 'red', not_tried: 'gray' } as const;

type Props = {
  /** What is tried, for screen readers. */
  readonly name: string;
  readonly isReady: boolean;
  readonly onTest: () => Promise<TrustTest>;
  /** What else can be done with it. */
  readonly children: ReactNode;
};

/** Tries what stands in a form, and says what came of it. Nothing is saved by it. */
export function TestButton({ name, isReady, onTest, children }: Props) {
  const { t } = useTranslation();
  const [result, setResult] = useState<TrustTest | null>(null);
  const { isBusy, error, run } = useAction();
  const test = () =>
    run(async () => {
      setResult(null);
      setResult(await onTest());
    });
  return (
    <>
      <Group>
        <Button
          variant="default"
          loading={isBusy}
          disabled={!isReady}
          aria-label={t('policyForms.testOf', { name })}
          onClick={() => void test()}
        >
          {t('policyForms.test')}
        </Button>
        {children}
      </Group>
      <ActionError error={error} />
      {result !== null && (
        <Alert color={COLORS[result.outcome]} role="status" title={t(`testOutcomes.${result.outcome}`)}>
          <PlainText text={result.detail} />
          {result.stated_at !== null && (
            <>
              {' · '}
              {t('policyForms.statedAt')} <Time at={result.stated_at} />
            </>
          )}
        </Alert>
      )}
    </>
  );
}
