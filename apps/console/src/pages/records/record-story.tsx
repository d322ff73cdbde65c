import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type AnswerRecord, EVENT_TYPES } from '@answer-evidence/contracts';
import { chooseLanguage, findLevels, type StoryStep, tellStory } from '@answer-evidence/verify';
import { nameControls } from '../../components/split-controls.ts';
import { useWorkspaceQuery } from '../../session/workspace-query.ts';
import { formatMoment } from './format-moment.ts';
import classes from './record.module.css';

/** A longer reason stands in the timeline alone, in UTF-16 code units. */
const REASON_MAX = 120;

/** What happened to the record and who vouches for it, in the words that packs and verifiers use. */
export function RecordStory({ record }: { readonly record: AnswerRecord }) {
  const { i18n } = useTranslation();
  const { data: verification } = useServiceVerification(record);
  const language = chooseLanguage([i18n.language]);
  const formatTime = (at: string) => formatMoment(at, language);
  const steps = (record.events ?? []).flatMap(({ event_type: type, created_at: at, reason }): readonly StoryStep[] => {
    // A newer service may have events that this page does not know.
    if (!EVENT_TYPES.includes(type)) return [];
    const isShort = reason !== null && reason !== '' && reason.length <= REASON_MAX;
    return [{ type, at: formatTime(at), reason: isShort ? nameControls(reason) : undefined }];
  });
  const isSaid = (wanted: string) =>
    findLevels(verification?.checks ?? []).some(({ level, state }) => level === wanted && state === 'said');
  const story = {
    application: nameControls(record.application_key),
    at: formatTime(record.created_at),
    steps,
    isExpired: [record.question, record.answer].some(({ text_state: state }) => state === 'expired'),
    vouching: verification && { witnessed: isSaid('witnessed'), anchored: isSaid('anchored') },
  };
  return (
    <Text className={classes['story']} component="p">
      {tellStory(story, language)}
    </Text>
  );
}

/** What the service finds of the record; the same for everything on the page that shows it. */
export function useServiceVerification(record: AnswerRecord) {
  return useWorkspaceQuery(['record-verified', record.id, record.events?.length], (client) =>
    client.records.verify(record.id),
  );
}
