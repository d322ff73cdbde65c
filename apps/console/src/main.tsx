import '@mantine/core/styles.css';
import './shell/theme.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { openCatalogue } from './locales/open-catalogue.ts';
import { App } from './shell/app.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element root');
await openCatalogue();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
