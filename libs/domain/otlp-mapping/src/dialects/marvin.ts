import type { Dialect } from './dialect.ts';
import { template } from './template.ts';

/** Marvin, which other conventions describe: its own are prompts. */
export const MARVIN: Dialect = {
  name: 'marvin',
  source: 'PrefectHQ/marvin, marvin/templates',
  templates: [template('<task>\n    <id>', '\n    <instructions>\n', '\n    </instructions>\n')],
};
