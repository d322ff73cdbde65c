import { Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AnswerRecord, CreateEventRequest } from '@answer-evidence/contracts';
import { ReasonDialog } from '../../components/reason-dialog.tsx';
import { Time } from '../../components/time.tsx';

type Props = {
  readonly record: AnswerRecord;
  readonly onAppend: (request: CreateEventRequest) => Promise<void>;
  readonly onClose: () => void;
};

/** States the right answer beside the original, which stays. */
export function CorrectDialog({ record, onAppend, onClose }: Props) {
  const { t } = useTranslation();
  const [text, setText] = useState(record.answer.text ?? '');
  return (
    <ReasonDialog
      title={t('actions.correction_appended')}
      consequence={t('eventConsequences.correction_appended')}
      action={t('confirm.correction_appended')}
      isReady={text.trim() !== ''}
      onConfirm={(reason) =>
        onAppend({ event_type: 'correction_appended', reason, payload: { corrected_answer_text: text } })
      }
      onClose={onClose}
    >
      <Textarea
        label={t('correct.text')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        rows={8}
        dir="auto"
        required
      />
    </ReasonDialog>
  );
}

/** Says that the answer must not be used. */
export function VoidDialog({ onAppend, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <ReasonDialog
      title={t('actions.voided')}
      consequence={t('eventConsequences.voided')}
      action={t('confirm.voided')}
      isDangerous
      onConfirm={(reason) => onAppend({ event_type: 'voided', reason })}
      onClose={onClose}
    />
  );
}

/** Keeps the texts longer. */
export function ExtendDialog({ record, onAppend, onClose }: Props) {
  const { t } = useTranslation();
  const [day, setDay] = useState('');
  const until = new Date(`${day}T00:00:00Z`);
  const isReady = day !== '' && until > new Date(record.retention_until);
  return (
    <ReasonDialog
      title={t('actions.retention_extended')}
      consequence={t('eventConsequences.retention_extended')}
      action={t('confirm.retention_extended')}
      isReady={isReady}
      onConfirm={(reason) =>
        onAppend({ event_type: 'retention_extended', reason, payload: { retain_until: until.toISOString() } })
      }
      onClose={onClose}
    >
      <Text>
        {t('record.retention')} <Time at={record.retention_until} />
      </Text>
      <TextInput
        type="date"
        label={t('extend.until')}
        description={t('extend.hint')}
        value={day}
        onChange={(event) => setDay(event.currentTarget.value)}
        required
      />
    </ReasonDialog>
  );
}
