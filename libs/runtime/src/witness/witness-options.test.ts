import { describe, expect, it } from '@jest/globals';
import { StartError } from '../start/start-error.ts';
import { parseWitnessOptions } from './witness-options.ts';

describe('parseWitnessOptions', () => {
  it('takes names and logs from the command line', () => {
    const args = ['--name', 'w.example', '--log', 'one', '--log', 'two', '--logs', 'file', '--port', '0'];
    const options = parseWitnessOptions(args, { SERVICE_WITNESS_NAME: 'x', SERVICE_WITNESS_LOGS: 'y' });
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
    const options = parseWitnessOptions([], environment);
    expect(options).toMatchObject({ name: 'x', vkeys: [], logsFile: 'y', config: { SERVICE_DATA_DIR: '/d' } });
    expect(options.config).toMatchObject({ SERVICE_HTTP_PORT: 8090, SERVICE_METRICS_PORT: 9465 });
    expect(parseWitnessOptions([], { SERVICE_HTTP_PORT: '1234' }).config.SERVICE_HTTP_PORT).toBe(1234);
  });

  it('says how it is started when it is started in another way', () => {
    for (const args of [['--nmae', 'x'], ['x'], ['--name']]) {
      expect(() => parseWitnessOptions(args, {})).toThrow('npm run witness -- --name');
    }
    expect(() => parseWitnessOptions(['--port', 'x'], {})).toThrow(StartError);
  });
});
