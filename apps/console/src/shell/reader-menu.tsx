import { Button, Menu, useMantineColorScheme } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { chooseLanguage, LANGUAGES } from '../locales/open-catalogue.ts';
import { useSession } from '../session/session-context.tsx';

const SCHEMES = ['auto', 'light', 'dark'] as const;
const LANGUAGE_NAMES = { en: 'English', de: 'Deutsch' } as const;

/** What concerns the reader: colors, language, signing out. */
export function ReaderMenu() {
  const { t, i18n } = useTranslation();
  const { session, leave } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const schemeNames = {
    auto: t('shell.scheme.auto'),
    light: t('shell.scheme.light'),
    dark: t('shell.scheme.dark'),
  };
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <Button variant="default" size="compact-md">
          <bdi>{session.member.name}</bdi>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t(session.member.role === 'manager' ? 'shell.manager' : 'shell.member')}</Menu.Label>
        <Menu.Divider />
        <Menu.Label>{t('shell.colors')}</Menu.Label>
        {SCHEMES.map((scheme) => (
          <Menu.Item key={scheme} onClick={() => setColorScheme(scheme)} aria-current={scheme === colorScheme}>
            {schemeNames[scheme]} {scheme === colorScheme && '✓'}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{t('shell.language')}</Menu.Label>
        {LANGUAGES.map((language) => (
          <Menu.Item
            key={language}
            lang={language}
            onClick={() => void chooseLanguage(language)}
            aria-current={language === i18n.language}
          >
            {LANGUAGE_NAMES[language]} {language === i18n.language && '✓'}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => void leave(false)}>{t('session.signOut')}</Menu.Item>
        <Menu.Item onClick={() => void leave(true)}>{t('session.signOutEverywhere')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
