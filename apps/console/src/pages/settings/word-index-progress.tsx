import { Progress, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useWordIndex } from '../../search/use-word-index.ts';
import classes from './settings.module.css';

/** How much of what is recorded already is found by its words, until all of it is. */
export function WordIndexProgress() {
  const { t, i18n } = useTranslation();
  const index = useWordIndex();
  if (index === undefined || index.state === 'off') return null;
  const say = (count: number) => count.toLocaleString(i18n.language);
  const { state, percent } = index;
  const values = { percent, indexed: say(index.indexed_entries), entries: say(index.entries) };
  return (
    <div role="status" className={classes['below']}>
      <Text size="sm" mt="xs" {...(state === 'ready' ? { c: 'dimmed' } : {})}>
        {t(`settings.words.${state}`, values)}
      </Text>
      {state === 'building' && <Progress value={percent} mt={4} aria-label={t('settings.words.progress')} />}
    </div>
  );
}
