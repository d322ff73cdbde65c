import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';

type Props = {
  readonly color: 'gray' | 'blue' | 'green' | 'yellow' | 'red';
  readonly children: ReactNode;
};

/** A state, in words and in a color. */
export function Chip({ color, children }: Props) {
  return (
    <Badge variant="light" color={color} radius="sm" tt="none" className="chip">
      {children}
    </Badge>
  );
}
