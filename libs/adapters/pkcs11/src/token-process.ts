import { type ChildProcess, fork } from 'node:child_process';
import type { FailureKind, Reply, Request, Results } from './messages.ts';

/** Bundled, the program lies beside the main one. */
const PROGRAM = new URL(import.meta.url.endsWith('.ts') ? './token-program.ts' : './token-program.js', import.meta.url);
/** Names of what the library of a token has no use for. */
const SECRET = /^(SERVICE_|DATABASE_|REDIS_|S3_|AWS_|OTEL_|PKCS11_PIN)/;

/** Why a request was not done. */
export class ProcessFailure extends Error {
  override readonly name = 'ProcessFailure';
  /** `late`: the deadline passed, and the process was ended. */
  readonly kind: FailureKind | 'late';

  constructor(kind: ProcessFailure['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

type Waiting = { readonly resolve: (reply: Reply) => void; readonly timer: NodeJS.Timeout };

/** One process with the library of a token. It is of use until `isOver`. */
export class TokenProcess {
  readonly #child: ChildProcess;
  readonly #waiting: Waiting[] = [];
  readonly #exit: Promise<void>;
  #isOver = false;
  #isLate = false;

  constructor() {
    this.#child = fork(PROGRAM, {
      serialization: 'advanced',
      // Nothing that the library prints gets into what the service prints.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: ['--disable-warning=ExperimentalWarning'],
      env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !SECRET.test(name))),
    });
    // What waits has a timer, which keeps the process of the service running; nothing else here does.
    this.#child.unref();
    this.#child.channel?.unref();
    this.#exit = new Promise((resolve) => {
      this.#child.once('exit', () => {
        this.#end();
        resolve();
      });
    });
    this.#child.on('error', () => this.#end());
    this.#child.on('message', (reply: Reply) => {
      const first = this.#waiting.shift();
      if (first === undefined) return;
      clearTimeout(first.timer);
      first.resolve(reply);
    });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Asks for one thing; after `deadlineMs` the process is ended. Throws `ProcessFailure`. */
  async ask<R extends Request>(request: R, deadlineMs: number): Promise<Results[R['do']]> {
    if (this.#isOver) throw this.#over();
    const reply = await new Promise<Reply>((resolve) => {
      const timer = setTimeout(() => {
        this.#isLate = true;
        this.kill();
      }, deadlineMs);
      this.#waiting.push({ resolve, timer });
      this.#child.send(request, (error) => {
        if (error !== null) this.kill();
      });
    });
    // Each request has the result of its kind.
    if ('result' in reply) return reply.result as Results[R['do']];
    if (this.#isLate) throw new ProcessFailure('late', `it did not respond within ${deadlineMs} ms`);
    throw new ProcessFailure(reply.failure.kind, reply.failure.text);
  }

  /** Ends it, whatever it does. */
  kill(): void {
    this.#child.kill('SIGKILL');
    this.#end();
  }

  /** Ends it, and resolves when it is gone. */
  async close(): Promise<void> {
    this.#child.ref();
    this.kill();
    await this.#exit;
  }

  #end(): void {
    this.#isOver = true;
    for (const { resolve, timer } of this.#waiting.splice(0)) {
      clearTimeout(timer);
      resolve({ failure: { kind: 'lost', text: 'its library ended' } });
    }
  }

  #over(): ProcessFailure {
    return new ProcessFailure('lost', 'its library ended');
  }
}
