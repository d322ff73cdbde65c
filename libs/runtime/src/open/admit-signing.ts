import type { LogStore } from '@answer-evidence/ports';
import type { HeadKeeper } from '@answer-evidence/stage-trust';

/** The logs, of which no tree is signed that their heads do not admit, and whose trees are seen to only grow. */
export function admitSigning(
  heads: Pick<HeadKeeper, 'see' | 'admitSigning' | 'assertSigning'>,
  logs: LogStore,
): LogStore {
  return {
    ...logs,
    snapshot: (workspaceId) => heads.see(workspaceId, () => logs.snapshot(workspaceId)),
    async signer(workspaceId) {
      await heads.admitSigning(workspaceId);
      const signer = await logs.signer(workspaceId);
      return {
        ...signer,
        sign(head) {
          heads.assertSigning(workspaceId);
          return signer.sign(head);
        },
        signReceipt(head) {
          heads.assertSigning(workspaceId);
          return signer.signReceipt(head);
        },
        signRun(statement, treeSize) {
          heads.assertSigning(workspaceId);
          return signer.signRun(statement, treeSize);
        },
      };
    },
  };
}
