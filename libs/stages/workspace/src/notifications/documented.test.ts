import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { NOTIFICATION_ABOUT, NOTIFICATION_TYPES } from '@answer-evidence/contracts';

const PAGE = new URL('../../../../../docs/notifications.md', import.meta.url);

it('the documentation has every type of notification, and the members of what each is about', () => {
  const rows = [...readFileSync(PAGE, 'utf8').matchAll(/^\| `([\w.]+)` +\| [^|]+ \| ([^|]+?) +\|$/gm)];
  const documented = new Map(rows.map(([, type = '', about = '']) => [type, about]));
  const described = NOTIFICATION_TYPES.map((type) => {
    const members = Object.keys(NOTIFICATION_ABOUT[type].shape);
    if ('severity' in NOTIFICATION_ABOUT[type].shape) return [type, 'a condition'];
    if (members.length === 0) return [type, 'nothing'];
    return [type, type === 'record.redacted' ? 'the same' : members.map((name) => `\`${name}\``).join(', ')];
  });
  const shown = [...documented].filter(([type]) => type.includes('.') || type === 'test');
  expect(shown.map(([type, about]) => [type, about.replace(/, below$/, '')])).toEqual(described);
});
