import { Alert, Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PlainText } from '../../components/plain-text.tsx';
import { Time } from '../../components/time.tsx';
import { useWorkspaceQuery } from '../../session/workspace-query.ts';
import classes from './tokens.module.css';

type Props = { readonly onRotate: (token: { readonly id: string; readonly name: string }) => void };

/** The tokens that end soon, wherever in the list they stand, each with the way to go on. */
export function EndingTokens({ onRotate }: Props) {
  const { t } = useTranslation();
  const { data } = useWorkspaceQuery(['overview', 'tokens'], (client) => client.overview.get({ days: 1 }));
  const ending = (data?.attention ?? []).filter(({ kind }) => kind === 'token_ends');
  if (ending.length === 0) return null;
  return (
    <Alert color="yellow" mb="md" title={t('tokens.ending', { count: ending.length })}>
      <ul className={classes['ending']}>
        {ending.map(({ object_id: id, name, until }) => (
          <li key={id}>
            <span>
              <strong>
                <PlainText text={name ?? ''} />
              </strong>
              {until !== null && (
                <>
                  {' '}
                  {t('tokens.endsAt')} <Time at={until} />
                </>
              )}
            </span>
            {id !== null && (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={t('tokens.rotateNow', { name: name ?? '' })}
                onClick={() => onRotate({ id, name: name ?? '' })}
              >
                {t('tokens.rotate')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Alert>
  );
}
