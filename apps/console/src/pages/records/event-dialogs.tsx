import { Checkbox, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type AnswerRecord, type CreateEventRequest, type JsonObject, tombstone } from '@answer-evidence/contracts';
import { PlainText } from '../../components/plain-text.tsx';
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

/** Erases the texts for good, and what is chosen of the sources. */
export function RedactDialog({ record, onAppend, onClose }: Props) {
  const { t } = useTranslation();
  const [sources, setSources] = useState<ReadonlySet<string>>(new Set());
  const [withSemantic, setSemantic] = useState(false);
  const present = record.source_refs.filter((ref) => !isGone(ref));
  const semantic = record.semantic_refs.filter((ref) => !isGone(ref));
  return (
    <ReasonDialog
      title={t('actions.redacted')}
      consequence={
        <>
          <Text>{t('eventConsequences.redactedGone')}</Text>
          <Text>{t('eventConsequences.redactedStays')}</Text>
        </>
      }
      action={t('confirm.redacted')}
      isDangerous
      onConfirm={(reason) =>
        onAppend({
          event_type: 'redacted',
          reason,
          payload: {
            ...(sources.size === 0 ? {} : { redact_source_ref_ids: [...sources] }),
            ...(withSemantic ? { redact_semantic_refs: true } : {}),
          },
        })
      }
      onClose={onClose}
    >
      {present.length + semantic.length > 0 && (
        <fieldset>
          <legend>{t('redact.also')}</legend>
          <Stack gap="xs">
            {present.map(({ source_ref_id: id }) => {
              const name = typeof id === 'string' ? id : '';
              return (
                <Checkbox
                  key={name}
                  label={<PlainText text={`${t('sources.source')} ${name}`} />}
                  checked={sources.has(name)}
                  onChange={(event) => {
                    const next = new Set(sources);
                    if (event.currentTarget.checked) next.add(name);
                    else next.delete(name);
                    setSources(next);
                  }}
                />
              );
            })}
            {semantic.length > 0 && (
              <Checkbox
                label={t('redact.semantic', { count: semantic.length })}
                checked={withSemantic}
                onChange={(event) => setSemantic(event.currentTarget.checked)}
              />
            )}
          </Stack>
        </fieldset>
      )}
    </ReasonDialog>
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

function isGone(ref: JsonObject): boolean {
  return tombstone.safeParse(ref['tombstone']).success;
}
