import { expect, it } from '@jest/globals';
import { anchorRequest } from '@answer-evidence/contracts';
import { fieldsOf, formatAnchorDrafts, readAnchorDrafts } from './anchor-drafts.ts';
import { ANCHOR_FORMS, AUTHORITIES } from './templates.ts';

const templates = [...AUTHORITIES, ...ANCHOR_FORMS].map(({ value }) => value);

it('reads the anchors that it wrote', () => {
  expect(readAnchorDrafts(formatAnchorDrafts(templates))).toEqual(templates);
});

it.each(['', 'no', '{}', 'null', '[1]', '[{"id":"a"}]', '[{"id":"a","type":"toString"}]', '[{"id":1,"type":"file"}]'])(
  'leaves %j to the text',
  (text) => {
    expect(readAnchorDrafts(text)).toBeUndefined();
  },
);

it('has a field for every member that a policy takes', () => {
  for (const template of templates) {
    const filled: Record<string, unknown> = { ...template };
    for (const { name, isNumber } of fieldsOf(template.type))
      if (isNumber !== true && (filled[name] ?? '') === '' && name !== 'prefix') filled[name] = 'abc';
    expect(anchorRequest.safeParse(filled).error?.issues ?? []).toEqual([]);
    const members = Object.keys(anchorRequest.parse({ ...filled, ...(template.type === 'file' ? {} : {}) }));
    const fields = fieldsOf(template.type).map(({ name }) => name);
    expect(members.filter((name) => !['type', 'required', ...fields].includes(name))).toEqual([]);
  }
});
