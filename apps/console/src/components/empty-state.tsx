import { Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

type Props = { readonly title: string; readonly children?: ReactNode };

/** What a list says that holds nothing: why that is, and what to do. */
export function EmptyState({ title, children }: Props) {
  return (
    <div className="empty">
      <Title order={2} size="h4">
        {title}
      </Title>
      <Text component="div" c="dimmed">
        {children}
      </Text>
    </div>
  );
}
