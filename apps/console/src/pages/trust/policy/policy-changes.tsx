import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PlainText } from '../../../components/plain-text.tsx';
import classes from '../trust.module.css';
import { compareLines, type PolicyDraft } from './policy-draft.ts';

type Props = { readonly before: PolicyDraft; readonly after: PolicyDraft };

/** What saving would change, line by line. */
export function PolicyChanges({ before, after }: Props) {
  const { t } = useTranslation();
  const names = Object.keys(before) as readonly (keyof PolicyDraft)[];
  const changed = names.flatMap((name) => {
    const lines = compareLines(String(before[name]), String(after[name]));
    return lines.length === 0 ? [] : [{ name, lines }];
  });
  return (
    <Alert title={t('settings.changes')}>
      {changed.map(({ name, lines }) => (
        <div key={name}>
          <strong>{t(`policy.${name}`)}</strong>
          <ul className={classes['lines']}>
            {lines.map(({ isAdded, line }, at) => (
              <li key={`${isAdded} ${at}`}>
                {isAdded ? (
                  <ins>
                    + <PlainText text={line} />
                  </ins>
                ) : (
                  <del>
                    − <PlainText text={line} />
                  </del>
                )}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </Alert>
  );
}
