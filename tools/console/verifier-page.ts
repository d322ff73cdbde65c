import type { Plugin } from 'vite';
import { buildVerifierPage } from '../../libs/adapters/pack-page/src/build-page.ts';

/** Puts `verify.html` beside the console: the service hands it out as a file, to be kept on another machine. */
export function verifierPage(): Plugin {
  return {
    name: 'verify.html',
    async generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'verify.html', source: await buildVerifierPage() });
    },
  };
}
