import { describe, expect, it } from '@jest/globals';
import { StartError } from '../ground/start-error.ts';
import { planConnections, RESERVED_DESCRIPTORS } from './plan-connections.ts';

describe('the connections of a process', () => {
  it.each([
    [4_096, 1, Infinity],
    [4_096, 2, RESERVED_DESCRIPTORS + 8_192],
    [10, 1, RESERVED_DESCRIPTORS + 10],
  ])('are %i on each of %i ports where %i files may be open', (wanted, ports, limit) => {
    expect(planConnections(wanted, ports, limit)).toEqual({ connectionsMax: wanted, warning: undefined });
  });

  it.each([
    [4_096, 1, 1_024, 768],
    [4_096, 2, 1_024, 384],
    [10_000, 1, 4_096, 3_840],
  ])('of %i on each of %i ports are fewer where only %i files may be open, and that is said', (...given) => {
    const [wanted, ports, limit, left] = given;
    const { connectionsMax, warning } = planConnections(wanted, ports, limit);
    expect(connectionsMax).toBe(left);
    expect(warning).toContain(`may open ${limit} files and connections, and needs ${256 + wanted * ports}`);
    expect(warning).toContain('LimitNOFILE');
  });

  it('are refused where hardly any would be left, with what to do', () => {
    expect(() => planConnections(10, 2, 275)).toThrow(StartError);
    expect(() => planConnections(4_096, 1, 256)).toThrow(/may open 256 .* needs 4352; raise the limit \(LimitNOFILE=/);
  });
});
