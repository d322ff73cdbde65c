import { useMantineColorScheme } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ActionMenu } from '../components/action-menu.tsx';
import { chooseLanguage, LANGUAGES, nameLanguage } from '../locales/open-catalogue.ts';
import { useSession } from '../session/session-context.tsx';
import classes from './shell.module.css';
import { useMotion } from './use-motion.ts';

const SCHEMES = ['auto', 'light', 'dark'] as const;

/** What concerns the reader: colors, motion, language, signing out. */
export function ReaderMenu() {
  const { t, i18n } = useTranslation();
  const { session, leave } = useSession();
  const [hasMotion, setMotion] = useMotion();
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  return (
    <ActionMenu
      button={{ variant: 'default', size: 'compact-md' }}
      title={
        <span className={classes['reader']}>
          <Avatar name={session.member.name} />
          <bdi>{session.member.name}</bdi>
        </span>
      }
      parts={[
        { kind: 'label', title: t(`roles.${session.member.access?.role ?? session.member.role}`) },
        { kind: 'line' },
        { kind: 'label', title: t('shell.colors') },
        ...SCHEMES.map((scheme) => ({
          kind: 'item' as const,
          key: scheme,
          title: t(`shell.scheme.${scheme}`),
          onChoose: () => setColorScheme(scheme),
          isCurrent: scheme === colorScheme,
        })),
        { kind: 'line' },
        { kind: 'label', title: t('shell.motion') },
        ...[true, false].map((isOn) => ({
          kind: 'item' as const,
          key: isOn ? 'motion-on' : 'motion-off',
          title: t(isOn ? 'shell.motionOn' : 'shell.motionOff'),
          onChoose: () => setMotion(isOn),
          isCurrent: isOn === hasMotion,
        })),
        { kind: 'line' },
        { kind: 'label', title: t('shell.language') },
        ...LANGUAGES.map((language) => ({
          kind: 'item' as const,
          key: language,
          title: nameLanguage(language),
          onChoose: () => void chooseLanguage(language),
          isCurrent: language === i18n.language,
          lang: language,
        })),
        { kind: 'line' },
        { kind: 'item', key: 'out', title: t('session.signOut'), onChoose: () => void leave(false) },
        { kind: 'item', key: 'everywhere', title: t('session.signOutEverywhere'), onChoose: () => void leave(true) },
      ]}
    />
  );
}

/** The first letters of a name in a disc; the name itself stands beside it. */
function Avatar({ name }: { readonly name: string }) {
  const words = name.split(/[\s._-]+/).filter((word) => word !== '');
  const letters = words.slice(0, 2).map((word) => [...word][0] ?? '');
  return (
    <span className={classes['avatar']} aria-hidden>
      {letters.join('').toLocaleUpperCase()}
    </span>
  );
}
