import { Checkbox, Radio, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { NotificationType } from '@answer-evidence/contracts';
import { nameType } from './name-type.ts';
import classes from './notifications.module.css';

/** All types, or those that are chosen. */
export type ChosenTypes = { readonly isAll: boolean; readonly types: readonly NotificationType[] };

type Props = {
  readonly chosen: ChosenTypes;
  /** What can be chosen, in its order. */
  readonly choosable: readonly NotificationType[];
  /** What is asked: whom they are for. */
  readonly title: string;
  /** What all of them are called. */
  readonly all: string;
  readonly onChange: (chosen: ChosenTypes) => void;
};

/** What is told: everything, or the types that are ticked. */
export function TypeFields({ chosen: { isAll, types }, choosable, title, all, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <>
      <Radio.Group
        label={title}
        value={isAll ? 'all' : 'some'}
        onChange={(value) => onChange({ isAll: value === 'all', types })}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="all" label={all} />
          <Radio value="some" label={t('notifications.only')} />
        </Stack>
      </Radio.Group>
      {!isAll && (
        <Checkbox.Group
          aria-label={t('notifications.only')}
          value={[...types]}
          onChange={(values) => onChange({ isAll, types: choosable.filter((type) => values.includes(type)) })}
        >
          <div className={classes['types']}>
            {choosable.map((type) => (
              <Checkbox key={type} value={type} label={nameType(type, t)} />
            ))}
          </div>
        </Checkbox.Group>
      )}
    </>
  );
}
