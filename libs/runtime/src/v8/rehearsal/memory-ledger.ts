import {
  type AppendCommand,
  EMPTY_HEAD,
  type Head,
  NOTHING_KNOWN,
  planAppend,
  type VersionedSettings,
} from '@answer-evidence/ledger';
import type { AppendOutcome, Ledger, TreeSigner } from '@answer-evidence/ports';

type Waiting = {
  readonly command: AppendCommand;
  readonly resolve: (outcome: AppendOutcome) => void;
  readonly reject: (error: Error) => void;
};

/**
 * A log that is nowhere but in memory, and forgets what it holds: appends of one turn of the event loop are planned and
 * signed together, as the real one does it, and nothing is written.
 */
export function createMemoryLedger(
  settings: VersionedSettings,
  nowMicros: () => number,
  signer: TreeSigner,
): Pick<Ledger, 'append'> {
  let head: Head = { ...EMPTY_HEAD, settingsVersion: settings.version };
  let waiting: Waiting[] = [];

  function commit(): void {
    const batch = waiting;
    waiting = [];
    const plan = planAppend(
      head,
      NOTHING_KNOWN,
      nowMicros(),
      batch.map(({ command }) => command),
    );
    head = plan.head;
    const checkpoint = signer.signReceipt({ size: head.treeSize, root: plan.root });
    if (typeof checkpoint !== 'string') throw new Error('the key of a rehearsal is in this process');
    for (const [n, { command, resolve, reject }] of batch.entries()) {
      const outcome = plan.outcomes[n];
      if (outcome?.kind === 'appended')
        resolve({ kind: 'appended', command, entries: outcome.entries, checkpoint, treeSize: head.treeSize });
      else reject(new Error('the log in memory appends what is new, and refuses nothing'));
    }
  }

  return {
    async append<C extends AppendCommand>(
      _workspaceId: string,
      prepare: (known: VersionedSettings) => C | Promise<C>,
    ): Promise<AppendOutcome<C>> {
      const command = await prepare(settings);
      const outcome = await new Promise<AppendOutcome>((resolve, reject) => {
        if (waiting.length === 0) setImmediate(commit);
        waiting.push({ command, resolve, reject });
      });
      // It holds the very command that was put in.
      return outcome as AppendOutcome<C>;
    },
  };
}
