import { Text } from '@mantine/core';
import { diffWordsWithSpace } from 'diff';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { PlainText } from '../../components/plain-text.tsx';

/** Long texts without a common word would keep the page busy. */
const TIME_MAX_MS = 500;

type Props = { readonly before: string; readonly after: string; readonly label: string };

/** A text with what was added to the one before it, and what was taken away. */
export function WordDiff({ before, after, label }: Props) {
  const { t } = useTranslation();
  const changes = useMemo(() => diffWordsWithSpace(before, after, { timeout: TIME_MAX_MS }), [before, after]);
  if (changes === undefined)
    return (
      <>
        <PlainText text={after} isBlock label={label} />
        <Text size="sm" c="dimmed">
          {t('texts.tooDifferent')}
        </Text>
      </>
    );
  return (
    <div className="text-frame wrapped" dir="auto" tabIndex={0} role="region" aria-label={label}>
      {changes.map(({ value, added, removed }, at) => {
        if (added) return <ins key={at}>{<PlainText text={value} />}</ins>;
        if (removed) return <del key={at}>{<PlainText text={value} />}</del>;
        return <PlainText key={at} text={value} />;
      })}
    </div>
  );
}
