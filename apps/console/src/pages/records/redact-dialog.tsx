import { Checkbox, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type AnswerRecord, type CreateEventRequest, type JsonObject, tombstone } from '@answer-evidence/contracts';
import { PlainText } from '../../components/plain-text.tsx';
import { ReasonDialog } from '../../components/reason-dialog.tsx';
import { nameControls } from '../../components/split-controls.ts';
import { nameSource } from './name-source.ts';
import classes from './record.module.css';
import { RecordHolds, useHoldsOf } from './record-holds.tsx';

type Props = {
  readonly record: AnswerRecord;
  readonly onAppend: (request: CreateEventRequest) => Promise<void>;
  readonly onClose: () => void;
};

/** So much of a source is shown, in UTF-16 code units. */
const PREVIEW_MAX = 160;

/** Erases the texts for good, and what is chosen of the sources: it says of what, and asks to name the record. */
export function RedactDialog({ record, onAppend, onClose }: Props) {
  const { t } = useTranslation();
  const [sources, setSources] = useState<ReadonlySet<string>>(new Set());
  const [withSemantic, setSemantic] = useState(false);
  const [typed, setTyped] = useState('');
  const holds = useHoldsOf(record.id);
  const present = record.source_refs.filter((ref) => !isGone(ref));
  const semantic = record.semantic_refs.filter((ref) => !isGone(ref));
  // The end of an id differs between records of one moment, and its beginning does not.
  const shortId = record.id.slice(-8);
  return (
    <ReasonDialog
      title={t('actions.redacted')}
      consequence={
        <>
          <Text>{t('eventConsequences.redactedGone')}</Text>
          <Extent record={record} sources={sources.size} semantic={withSemantic ? semantic.length : 0} />
          <Text>{t('eventConsequences.redactedStays')}</Text>
        </>
      }
      action={t('confirm.redacted')}
      isDangerous
      isReady={holds.length === 0 && typed.trim().toLowerCase() === shortId}
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
      <RecordHolds holds={holds} effect={t('redact.onHold')} />
      {present.length + semantic.length > 0 && (
        <fieldset className={classes['choices']}>
          <legend>{t('redact.also')}</legend>
          <Stack gap="xs">
            {present.map((ref) => {
              const id = typeof ref['source_ref_id'] === 'string' ? ref['source_ref_id'] : '';
              return (
                <Checkbox
                  key={id}
                  label={<PlainText text={`${t('sources.source')} ${nameSource(ref) ?? id}`} />}
                  description={<PlainText text={previewOf(ref)} />}
                  checked={sources.has(id)}
                  onChange={(event) => {
                    const next = new Set(sources);
                    if (event.currentTarget.checked) next.add(id);
                    else next.delete(id);
                    setSources(next);
                  }}
                />
              );
            })}
            {semantic.length > 0 && (
              <Checkbox
                label={t('redact.semantic', { count: semantic.length })}
                description={<PlainText text={semantic.map(previewOf).join(' · ').slice(0, PREVIEW_MAX)} />}
                checked={withSemantic}
                onChange={(event) => setSemantic(event.currentTarget.checked)}
              />
            )}
          </Stack>
        </fieldset>
      )}
      <TextInput
        label={t('redact.confirm', { id: nameControls(shortId) })}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
        required
      />
    </ReasonDialog>
  );
}

type ExtentProps = { readonly record: AnswerRecord; readonly sources: number; readonly semantic: number };

/** How much will be gone, counted. */
function Extent({ record, sources, semantic }: ExtentProps) {
  const { t } = useTranslation();
  const events = record.events ?? [];
  const texts = [record.question, record.answer, ...events.flatMap(({ corrected_answer: one }) => one ?? [])];
  const reasons = events.filter(({ reason }) => reason !== null && reason !== '');
  const counts = [
    t('redact.texts', { count: texts.filter(({ text_state: state }) => state === 'stored').length }),
    t('redact.reasons', { count: reasons.length }),
    t('redact.sources', { count: sources + semantic }),
  ];
  return (
    <Text fw={600} my="xs">
      {t('redact.extent')} {counts.join(', ')}.
    </Text>
  );
}

function previewOf({ source_ref_id: _, ...rest }: JsonObject): string {
  const text = Object.entries(rest)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' · ');
  return text.length > PREVIEW_MAX ? `${text.slice(0, PREVIEW_MAX)}…` : text;
}

function isGone(ref: JsonObject): boolean {
  return tombstone.safeParse(ref['tombstone']).success;
}
