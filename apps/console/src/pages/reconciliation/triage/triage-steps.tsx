import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TriageStep } from '@answer-evidence/contracts';
import { PlainText } from '../../../components/plain-text.tsx';
import { Time } from '../../../components/time.tsx';
import classes from '../reconciliation.module.css';

type Props = {
  readonly steps: readonly TriageStep[];
  readonly isErasable: (step: TriageStep) => boolean;
  readonly isBusy: boolean;
  readonly onErase: (version: number) => void;
};

/** What people did about a finding, oldest first. */
export function TriageSteps({ steps, isErasable, isBusy, onErase }: Props) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<number | null>(null);
  if (steps.length === 0) return <Text size="sm">{t('triage.untouched')}</Text>;
  return (
    <ol className={classes['steps']}>
      {steps.map((step) => (
        <li key={step.version}>
          <Text size="sm">
            <strong>
              <PlainText text={step.by.username} />
            </strong>{' '}
            {describe(step)} · <Time at={step.at} />
          </Text>
          {step.text !== null && (
            <Text className="wrapped">
              <PlainText text={step.text} />
            </Text>
          )}
          {step.text_state !== null && step.text_state !== 'stored' && (
            <Text fs="italic">{t(`triage.text_${step.text_state}`)}</Text>
          )}
          {step.text_state === 'stored' && isErasable(step) && (
            <Button
              size="compact-sm"
              variant={asked === step.version ? 'filled' : 'subtle'}
              color="red"
              disabled={isBusy}
              aria-label={t(asked === step.version ? 'triage.eraseForGood' : 'triage.eraseOf', { step: step.version })}
              onClick={() => (asked === step.version ? onErase(step.version) : setAsked(step.version))}
            >
              {t(asked === step.version ? 'triage.eraseSure' : 'triage.erase')}
            </Button>
          )}
        </li>
      ))}
    </ol>
  );

  function describe({ action, assignee, resolution, erases }: TriageStep): string {
    switch (action) {
      case 'assign':
        return assignee === null ? t('triage.gaveBack') : t('triage.assigned', { name: assignee.username });
      case 'resolve':
        return t('triage.resolvedAs', { resolution: t(`resolutions.${resolution ?? 'other'}`) });
      case 'erase':
        return t('triage.erased', { step: erases });
      case 'comment':
      case 'reopen':
        return t(`triage.did_${action}`);
    }
  }
}
