import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { operationsUndescribed } from '../../tools/console/operations-undescribed.ts';
import { splitCatalogues } from '../../tools/console/split-catalogues.ts';
import { verifierPage } from '../../tools/console/verifier-page.ts';

export default defineConfig({
  base: '/console/',
  experimental: {
    // Files find each other from where they are: a proxy may have a path before the console.
    renderBuiltUrl: (_, { hostType }) => (hostType === 'html' ? undefined : { relative: true }),
  },
  plugins: [operationsUndescribed(), splitCatalogues(), react(), verifierPage()],
  build: {
    target: 'es2022',
    // What others wrote goes with the texts of its licences.
    license: { fileName: 'THIRD-PARTY-LICENSES.md' },
    // The policy of the pages has no `data:` for fonts or scripts, and each file is cached by its name.
    assetsInlineLimit: 0,
    // It would add an inline script for browsers that no longer matter.
    modulePreload: { polyfill: false },
    // What pages add to it is little, and a page that is opened need not wait for a file of its own.
    cssCodeSplit: false,
    // The file of what others wrote is large by intention.
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      output: {
        // Zod is told how to compile before there is any schema.
        strictExecutionOrder: true,
        codeSplitting: {
          groups: [
            // What every page needs: what others wrote, which changes rarely, and what is written here.
            { name: 'vendor', tags: ['$initial'], test: /[\\/]node_modules[\\/]/, priority: 3 },
            { name: 'app', tags: ['$initial'], priority: 2 },
            // Larger than any page, and loaded where one is drawn: not with what a page shares with its chart.
            { name: 'charts', test: /[\\/]node_modules[\\/](?:@mantine[\\/]charts|recharts)[\\/]/, priority: 1 },
            // What some pages share is a few files and not dozens; each costs a request.
            { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 3_000 },
          ],
        },
      },
    },
  },
  worker: { format: 'es' },
});
