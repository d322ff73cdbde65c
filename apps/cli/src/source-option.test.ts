import { describe, expect, it } from '@jest/globals';
import { parseSource } from './source-option.ts';
import { UsageError } from './usage-error.ts';

describe('parseSource', () => {
  it('reads the short names, and keeps a comma and an equals sign inside a value', () => {
    expect(parseSource('name=a, b=c.md,hash=sha256:ff,type=file,id=r-1,trace=t')).toEqual({
      source_name: 'a, b=c.md',
      source_hash: 'sha256:ff',
      source_type: 'file',
      source_ref_id: 'r-1',
      trace_id: 't',
    });
  });

  it.each([[''], ['faq.md'], ['name='], ['url=x'], ['name=a,name=b'], ['__proto__=x'], ['constructor=x']])(
    'refuses "%s"',
    (option) => {
      expect(() => parseSource(option)).toThrow(UsageError);
    },
  );
});
