import { expect, it } from '@jest/globals';
import { ServiceError } from '@answer-evidence/contracts';
import { createMacVault } from '../fixtures/mac-vault.ts';
import { formatCursor } from './cursor.ts';
import { askLeafPage } from './pagination.ts';

const vault = createMacVault('0199f3c2-0000-7000-8000-000000000001');
const LIST = { list: 'things' };

it('a cursor of ours whose position has another form, as another release may make it, is refused by its code', () => {
  const ask = (at: object) => () =>
    askLeafPage(vault, LIST, { cursor: formatCursor(vault, LIST, at as { after: number; page: number }) });
  expect(ask({ after: 7, page: 2 })()).toMatchObject({ page: { beforeLeaf: 7, offset: 0 } });
  for (const at of [{ after: '7', page: 2 }, { after: 7, page: 0 }, { after: 7 }, { after: 7, page: 2, more: 1 }]) {
    expect(ask(at)).toThrow(ServiceError);
    expect(ask(at)).toThrow(expect.objectContaining({ code: 'cursor_not_valid' }));
  }
});
