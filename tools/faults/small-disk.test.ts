import { describe, expect, it } from '@jest/globals';
import { findForgotten } from './small-disk.ts';

const MOUNTS = `/dev/vda / ext4 rw 0 0
faults-100 /tmp/answer-evidence-faults-a/database tmpfs rw,size=1228800k,mode=755 0 0
faults-200 /tmp/answer-evidence-faults-b/database tmpfs rw,size=1228800k,mode=755 0 0
faults-100 /tmp/elsewhere ext4 rw 0 0
faults /tmp/of-somebody tmpfs rw 0 0
tmpfs /dev/shm tmpfs rw 0 0
`;

describe('what is taken for a forgotten disk', () => {
  it('is one in memory that a process mounted which is gone, and nothing else', () => {
    expect(findForgotten(MOUNTS, (pid) => pid === 200)).toEqual(['/tmp/answer-evidence-faults-a/database']);
  });

  it('is none while its process is there', () => {
    expect(findForgotten(MOUNTS, () => true)).toEqual([]);
  });
});
