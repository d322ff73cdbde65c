import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { readSession } from '../api/session.ts';
import { openCatalogue } from '../locales/open-catalogue.ts';
import { App } from './app.tsx';
import { loadPage } from './router.tsx';
import { restoreMotion } from './use-motion.ts';

/** Shows the console. */
export async function start(): Promise<void> {
  const root = document.getElementById('root');
  if (root === null) throw new Error('index.html has no element root');
  // None of these three round trips needs another one, so they are made at once.
  restoreMotion();
  const session = readSession();
  // What it throws is shown by the page, which comes later.
  session.catch(() => undefined);
  void loadPage();
  await openCatalogue();
  createRoot(root).render(
    <StrictMode>
      <App session={session} />
    </StrictMode>,
  );
}
