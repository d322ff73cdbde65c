import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { buildVerifierPage } from '../../libs/adapters/pack-page/src/build-page.ts';

export default defineConfig({
  base: '/console/',
  plugins: [
    react(),
    {
      name: 'verify.html',
      // For readers who verify on a machine of their own; the service hands it out as a file to save.
      async generateBundle() {
        this.emitFile({ type: 'asset', fileName: 'verify.html', source: await buildVerifierPage() });
      },
    },
  ],
  build: {
    target: 'es2022',
    // The policy of the pages has no `data:` for fonts or scripts, and each file is cached by its name.
    assetsInlineLimit: 0,
    // It would add an inline script for browsers that no longer matter.
    modulePreload: { polyfill: false },
  },
  worker: { format: 'es' },
});
