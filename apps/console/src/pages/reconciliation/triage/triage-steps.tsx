import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TriageStep } from '@answer-evidence/contracts';
import { PlainText } from '../../../components/plain-text.tsx';
import { Time } from '../../../components/time.tsx';
import { formatDay } from '../../records/format-day.ts';
import classes from '../reconciliation.module.css';
import { dayOf } from './due.ts';

type Props = {
  readonly steps: readonly TriageStep[];
  readonly isErasable: (step: TriageStep) => boolean;
  readonly isBusy: boolean;
  readonly onErase: (version: number) => void;
};

/** What people did about a finding, oldest first. */
export function TriageSteps({ steps, isErasable, isBusy, onErase }: Props) {
  const { t, i18n } = useTranslation();
  const [asked, setAsked] = useState<number | null>(null);
  if (steps.length === 0) return <Text size="sm">{t('triage.untouched')}</Text>;
  return (
    <ol className={classes['steps']}>
      {steps.map((step, at) => (
        <li key={step.version}>
          <Text size="sm">
            <strong>
              <PlainText text={step.by.username} />
            </strong>{' '}
            {describe(step, steps[at - 1])} · <Time at={step.at} />
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

  function describe(step: TriageStep, before: TriageStep | undefined): string {
    const { action, assignee, resolution, erases, due_at: due = null } = step;
    switch (action) {
      case 'assign': {
        const to = assignee === null ? t('triage.gaveBack') : t('triage.assigned', { name: assignee.username });
        if (due === (before?.due_at ?? null)) return to;
        return assignee?.id === before?.assignee?.id
          ? t('triage.scheduled', { due: describeDue(due) })
          : `${to}, ${describeDue(due)}`;
      }
      case 'resolve':
        return t('triage.resolvedAs', { resolution: t(`resolutions.${resolution ?? 'other'}`) });
      case 'erase':
        return t('triage.erased', { step: erases });
      case 'comment':
      case 'reopen':
        return t(`triage.did_${action}`);
    }
  }

  function describeDue(due: string | null): string {
    return due === null ? t('triage.dueNever') : t('triage.dueOn', { day: formatDay(dayOf(due), i18n.language) });
  }
}
