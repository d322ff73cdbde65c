import { useTranslation } from 'react-i18next';
import { Loaded } from '../../components/loaded.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { useSession } from '../../session/session-context.tsx';
import { useWorkspaceQuery } from '../../session/workspace-query.ts';
import { HashKeys } from './hash-keys.tsx';
import { RetentionForecast } from './retention-forecast.tsx';
import { SettingsForm } from './settings-form.tsx';

/** What the workspace keeps of answers, how it commits to them, and its hash keys. */
export function SettingsPage() {
  const { t } = useTranslation();
  const { may } = useSession();
  const settings = useWorkspaceQuery(['settings'], (client) => client.settings.get());
  return (
    <>
      <PageHead title={t('settings.title')} />
      <Loaded query={settings}>{(value) => <SettingsForm first={value} />}</Loaded>
      {may('settings.manage') && <RetentionForecast />}
      {may('hash_keys.manage') && <HashKeys />}
    </>
  );
}
