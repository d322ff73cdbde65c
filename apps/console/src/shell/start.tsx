import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { openCatalogue } from '../locales/open-catalogue.ts';
import { App } from './app.tsx';

/** Shows the console. */
export async function start(): Promise<void> {
  const root = document.getElementById('root');
  if (root === null) throw new Error('index.html has no element root');
  await openCatalogue();
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
