import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import type { Session } from '../api/session.ts';
import { SessionProvider } from '../session/session-context.tsx';
import { router } from './router.tsx';
import { theme } from './theme.ts';

const colorScheme = localStorageColorSchemeManager({ key: 'answer-evidence.color-scheme' });
const queries = new QueryClient({
  // The client has its own retries, which know what is safe to repeat.
  defaultOptions: { queries: { retry: false, staleTime: 5_000 }, mutations: { retry: false } },
});

/**
 * The console, for the session that was asked for before. Nothing here adds a style element: all of Mantine's variables
 * and classes come from its file.
 */
export function App({ session }: { readonly session: Promise<Session | null> }) {
  return (
    <MantineProvider
      theme={theme}
      colorSchemeManager={colorScheme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={queries}>
        <SessionProvider asked={session}>
          <RouterProvider router={router} />
        </SessionProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}
