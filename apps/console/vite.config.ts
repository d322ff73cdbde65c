import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { verifierPage } from '../../tools/console/verifier-page.ts';

export default defineConfig({
  base: '/console/',
  experimental: {
    // Files find each other from where they are: a proxy may have a path before the console.
    renderBuiltUrl: (_, { hostType }) => (hostType === 'html' ? undefined : { relative: true }),
  },
  plugins: [react(), verifierPage()],
  build: {
    target: 'es2022',
    // The policy of the pages has no `data:` for fonts or scripts, and each file is cached by its name.
    assetsInlineLimit: 0,
    // It would add an inline script for browsers that no longer matter.
    modulePreload: { polyfill: false },
  },
  worker: { format: 'es' },
});
