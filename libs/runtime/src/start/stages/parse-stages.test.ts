import { describe, expect, it } from '@jest/globals';
import { STAGE_NAMES } from '../../ground/stage-names.ts';
import { parseStages } from './parse-stages.ts';

describe('the stages of arguments', () => {
  it('are all of them where none are named', () => {
    expect(parseStages([])).toEqual({ stages: STAGE_NAMES, rest: [] });
    expect(parseStages(['--help'])).toEqual({ stages: STAGE_NAMES, rest: ['--help'] });
  });

  it.each([[['--stages', 'ingest,workspace']], [['--stages=ingest,workspace']]])(
    'are taken from %j in one order, whatever else there is',
    (args) => {
      const stages = ['workspace', 'ingest'];
      expect(parseStages(args)).toEqual({ stages, rest: [] });
      expect(parseStages([...args, '--other'])).toEqual({ stages, rest: ['--other'] });
      expect(parseStages(['--other', ...args])).toEqual({ stages, rest: ['--other'] });
    },
  );

  it.each([[['--stages']], [['--stages=']], [['--stages', 'ingest,queue']], [['--stages', 'ingest, trust']]])(
    'are refused in %j',
    (args) => {
      expect(parseStages(args)).toMatch(/^--stages must be a list of workspace, ingest, .*such as --stages workspace/);
    },
  );

  it('are refused when they are asked for twice, as every argument that is left over is', () => {
    expect(parseStages(['--stages', 'ingest', '--stages', 'trust'])).toMatchObject({ rest: ['--stages', 'trust'] });
  });
});
