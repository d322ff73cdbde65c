import { Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { nameControls } from '../../components/split-controls.ts';
import { Icon } from '../../shell/icon.tsx';
import type { SearchTexts } from '../../shell/search.ts';
import { FILTER_NAMES } from './filters.ts';
import { dayBefore } from './view-filters.ts';

type Props = { readonly search: SearchTexts; readonly onChange: (next: Record<string, string>) => void };

const PRESETS = [
  ['today', 1],
  ['week', 7],
  ['month', 30],
] as const;

/** The last days to choose from, and each filter of the address, which a click takes away. */
export function FilterChips({ search, onChange }: Props) {
  const { t } = useTranslation();
  const active = FILTER_NAMES.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]] as const]));
  const without = (...names: readonly string[]) => Object.fromEntries(active.filter(([name]) => !names.includes(name)));
  return (
    <Group gap="xs" mb="sm">
      {PRESETS.map(([name, days]) => {
        const from = dayBefore(days - 1);
        const isOn = search['created_after'] === from && search['created_before'] === undefined;
        return (
          <Button
            key={name}
            size="compact-sm"
            variant={isOn ? 'light' : 'default'}
            aria-pressed={isOn}
            onClick={() =>
              onChange({ ...without('created_after', 'created_before'), ...(isOn ? {} : { created_after: from }) })
            }
          >
            {t(`records.presets.${name}`)}
          </Button>
        );
      })}
      {active.map(([name, value]) => {
        const words = `${t([`records.filters.${name}`, `keys.${name}`])}: ${nameControls(name === 'status' ? t(`status.${value}`, value) : value)}`;
        return (
          <Button
            key={name}
            size="compact-sm"
            variant="light"
            className="wrapped"
            aria-label={t('records.removeFilter', { filter: words })}
            rightSection={<Icon name="cross" size={12} />}
            onClick={() => onChange(without(name))}
          >
            <bdi>{words}</bdi>
          </Button>
        );
      })}
    </Group>
  );
}
