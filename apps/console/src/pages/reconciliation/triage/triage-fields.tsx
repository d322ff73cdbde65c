import { NativeSelect, Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type Resolution, RESOLUTIONS, TRIAGE_TEXT_MAX } from '@answer-evidence/contracts';

type Field<T> = { readonly value: T; readonly onChange: (value: T) => void };

/** Why nobody has to look at a finding any more. */
export function ResolutionField({ value, onChange }: Field<Resolution>) {
  const { t } = useTranslation();
  return (
    <NativeSelect
      label={t('triage.resolution')}
      value={value}
      onChange={(event) => onChange(RESOLUTIONS.find((one) => one === event.currentTarget.value) ?? value)}
      data={RESOLUTIONS.map((one) => ({ value: one, label: t(`resolutions.${one}`) }))}
    />
  );
}

/** What is worth knowing about it. */
export function CommentField({ value, onChange }: Field<string>) {
  const { t } = useTranslation();
  return (
    <Textarea
      label={t('triage.comment')}
      description={t('triage.commentHint')}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      maxLength={TRIAGE_TEXT_MAX}
      rows={3}
    />
  );
}
