import type { Plugin } from 'vite';

const OPERATIONS = /\/libs\/contracts\/src\/operations\/[\w-]+\.ts$/;
/** A text of an operation that only the API description shows. */
const DESCRIPTION = /\b(summary|description):\s*(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\$]|\\.)*`)/g;

/** Leaves out of the operations what describes them to people: no page shows it, and the first would wait for it. */
export function operationsUndescribed(): Plugin {
  return {
    name: 'operations-undescribed',
    enforce: 'pre',
    transform: (code, id) =>
      OPERATIONS.test(id) ? { code: code.replace(DESCRIPTION, "$1: ''"), map: null } : undefined,
  };
}
