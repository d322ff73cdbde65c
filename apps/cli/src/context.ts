import type { Client } from '@answer-evidence/client';
import { type DemandOptions, listUnmet } from './demands.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import type { Io } from './io.ts';
import { type OutputOptions, showView, type View } from './output/show-view.ts';
import { formatTerminalText } from './output/terminal-text.ts';

/** Options that every command takes. */
export type GlobalOptions = OutputOptions & { readonly registry?: string };

/** What a command works with. */
export type Context = {
  readonly io: Io;
  /** A client of the host, which has been asked first what it is. */
  connect(): Promise<Client>;
  /** A client without a token, of a host that has been asked what it is. */
  connectOpenly(registry: string): Promise<Client>;
  /** From now on no message shows it. */
  keepSecret(secret: string): void;
  /** The registry that was given on the command line, if any. */
  registry(): string | undefined;
  /** The result, on standard output. */
  show(view: View): void;
  /** Asks the host and shows what it responds, for people as `view` has it. */
  report<T>(ask: (client: Client) => Promise<T>, view: (reply: T) => ReturnType<View['blocks']>): Promise<void>;
  /** A line for people, on standard error. */
  note(line: string): void;
  /** Whether results are JSON, for programs. */
  isJson(): boolean;
  /** Whether only ids are asked for. */
  isQuiet(): boolean;
  /** Makes this the exit code. */
  end(code: ExitCode): void;
  /** Makes the exit code 1 when any check is FAIL. */
  settle(checks: readonly { readonly outcome: string }[]): void;
  /** The same for checks of which the caller may demand more: each unmet demand is a line, and exit code 1. */
  settleDemanded(checks: Parameters<typeof listUnmet>[0], demands: DemandOptions): void;
  exitCode(): ExitCode;
  /** The message without any secret that the command has used. */
  hideSecrets(message: string): string;
};

/** The context of one run; `options` are read when a command runs, since they are parsed by then only. */
export function createContext(io: Io, options: () => GlobalOptions): Context {
  let exitCode: ExitCode = EXIT.ok;
  const secrets: string[] = [];
  function keepSecret(secret: string): void {
    // Nothing is everywhere in a message, and would be hidden there.
    if (secret !== '') secrets.push(secret);
  }
  function note(line: string): void {
    io.stderr.write(`${formatTerminalText(line)}\n`);
  }
  function settle(checks: readonly { readonly outcome: string }[]): void {
    if (checks.some((check) => check.outcome === 'FAIL')) exitCode = EXIT.failed;
  }
  // A command that asks no host, and help, begin without the client.
  const connections = () => import('./connect.ts');
  const connectHere = async () => (await connections()).connect(io, options().registry, keepSecret);
  function show(view: View): void {
    showView(io, view, options());
  }
  return {
    io,
    connect: connectHere,
    connectOpenly: async (registry) => (await connections()).connectOpenly(io, registry),
    keepSecret,
    registry: () => options().registry,
    show,
    async report(ask, view) {
      const reply = await ask(await connectHere());
      show({ json: reply, blocks: () => view(reply) });
    },
    note,
    isJson: () => options().output.startsWith('json'),
    isQuiet: () => options().quiet === true,
    end(code) {
      exitCode = code;
    },
    settle,
    settleDemanded(checks, demands) {
      settle(checks);
      const unmet = listUnmet(checks, demands);
      for (const line of unmet) note(`NOT MET  ${line}`);
      if (unmet.length > 0) exitCode = EXIT.failed;
    },
    exitCode: () => exitCode,
    hideSecrets: (message) => secrets.reduce((text, secret) => text.replaceAll(secret, '[hidden]'), message),
  };
}
