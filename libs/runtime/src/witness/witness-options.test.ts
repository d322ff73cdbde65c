import { describe, expect, it } from '@jest/globals';
import { StartError } from '../ground/start-error.ts';
import { parseWitnessArguments, parseWitnessOptions } from './witness-options.ts';

function parse(args: readonly string[], environment: Parameters<typeof parseWitnessOptions>[1]) {
  const given = parseWitnessArguments(args);
  if (typeof given === 'string') throw new Error(given);
  return parseWitnessOptions(given, environment);
}

describe('parseWitnessOptions', () => {
  it('takes names and logs from the command line', () => {
    const args = ['--name', 'w.example', '--log', 'one', '--log', 'two', '--logs', 'file', '--port', '0'];
    const options = parse(args, { SERVICE_WITNESS_NAME: 'x', SERVICE_WITNESS_LOGS: 'y' });
    expect(options).toMatchObject({ name: 'w.example', vkeys: ['one', 'two'], logsFile: 'file' });
    expect(options.config.SERVICE_HTTP_PORT).toBe(0);
  });

  it('takes from the environment what the command line leaves out, and has ports of its own by default', () => {
    const environment = {
      SERVICE_WITNESS_NAME: 'x',
      SERVICE_WITNESS_LOGS: 'y',
      SERVICE_DATA_DIR: '/d',
      SERVICE_HTTP_PORT: '',
    };
    const options = parse([], environment);
    expect(options).toMatchObject({ name: 'x', vkeys: [], logsFile: 'y', config: { SERVICE_DATA_DIR: '/d' } });
    expect(options.config).toMatchObject({ SERVICE_HTTP_PORT: 8090, SERVICE_METRICS_PORT: 9465 });
    expect(parse([], { SERVICE_HTTP_PORT: '1234' }).config.SERVICE_HTTP_PORT).toBe(1234);
  });

  it('names the argument that it does not take, and refuses a port that is none', () => {
    expect(parseWitnessArguments(['--nmae', 'x'])).toContain("'--nmae'");
    expect(parseWitnessArguments(['x'])).toContain("'x'");
    expect(parseWitnessArguments(['--name'])).toContain("'--name <value>'");
    expect(() => parse(['--port', 'x'], {})).toThrow(StartError);
  });
});
