import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon, type IconName } from '../shell/icon.tsx';

type Color = 'gray' | 'blue' | 'green' | 'yellow' | 'red';

type Props = {
  readonly color: Color;
  /** What is drawn before the words; that of the color by default. */
  readonly icon?: IconName;
  readonly children: ReactNode;
};

const ICONS: Readonly<Record<Color, IconName | null>> = {
  gray: null,
  blue: null,
  green: 'check',
  yellow: 'warning',
  red: 'cross',
};

/** A state, in words, in a color and in a shape. */
export function Chip({ color, icon, children }: Props) {
  const drawn = icon ?? ICONS[color];
  return (
    <Badge
      variant="light"
      color={color}
      tt="none"
      className="chip"
      leftSection={drawn === null ? undefined : <Icon name={drawn} size={12} />}
    >
      {children}
    </Badge>
  );
}
