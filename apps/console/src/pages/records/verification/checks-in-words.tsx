import { Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { BundleVerification } from '@answer-evidence/package-verify';
import {
  chooseLanguage,
  findLevels,
  groupChecks,
  type GroupState,
  type LevelState,
  WORDS,
} from '@answer-evidence/verify';
import { Chip } from '../../../components/chip.tsx';
import outcomes from './outcomes.module.css';

const GROUP_COLORS: Readonly<Record<GroupState, React.ComponentProps<typeof Chip>['color']>> = {
  fails: 'red',
  partly: 'yellow',
  open: 'yellow',
  holds: 'green',
  none: 'gray',
};
const LEVEL_COLORS: Readonly<Record<LevelState, React.ComponentProps<typeof Chip>['color']>> = {
  said: 'green',
  open: 'gray',
  denied: 'red',
};

/** What the checks come to in the verifier's words: five groups, then what may be said, and no verdict. */
export function ChecksInWords({ checks }: Pick<BundleVerification, 'checks'>) {
  const { t, i18n } = useTranslation();
  const words = WORDS[chooseLanguage([i18n.language])];
  return (
    <>
      <dl className={outcomes['words']} aria-label={t('verify.inWords')}>
        {groupChecks(checks).map(({ group, state }) => (
          <div key={group}>
            <dt>
              {words.groups[group].name} <Chip color={GROUP_COLORS[state]}>{words.states[state]}</Chip>
            </dt>
            <dd>{words.groups[group][state]}</dd>
          </div>
        ))}
      </dl>
      <Title order={3} size="h5" mt="md">
        {words.may_be_said}
      </Title>
      <dl className={outcomes['words']}>
        {findLevels(checks).map(({ level, state }) => (
          <div key={level}>
            <dt>
              {words.levels[level].name} <Chip color={LEVEL_COLORS[state]}>{words.level_states[state]}</Chip>
            </dt>
            <dd>
              {state === 'said' ? (
                <>
                  {words.levels[level].said}{' '}
                  <Text span c="dimmed">
                    {words.levels[level].not_proved}
                  </Text>
                </>
              ) : (
                '–'
              )}
            </dd>
          </div>
        ))}
      </dl>
      <Text c="dimmed">{words.never}</Text>
    </>
  );
}
