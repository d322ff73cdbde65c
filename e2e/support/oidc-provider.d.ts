/** The part of the package that the tests use; it brings no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

  type Context = {
    readonly path: string;
    readonly req: IncomingMessage;
    readonly res: ServerResponse;
    respond: boolean;
    readonly oidc: {
      readonly client?: { readonly clientId: string };
      readonly session?: { readonly accountId?: string };
      readonly provider: { readonly Grant: new (of: { clientId: string; accountId: string }) => Grant };
    };
  };
  type Grant = { addOIDCScope(scope: string): void; save(): Promise<string> };
  type Configuration = {
    readonly interactions: { readonly url: (context: Context, interaction: { readonly uid: string }) => string };
    readonly findAccount: (context: Context, id: string) => object;
    readonly loadExistingGrant: (context: Context) => Promise<Grant | undefined>;
    readonly [setting: string]: unknown;
  };

  export default class Provider {
    constructor(issuer: string, configuration: Configuration);
    callback(): RequestListener;
    use(middleware: (context: Context, next: () => Promise<unknown>) => Promise<unknown>): void;
    interactionDetails(
      req: IncomingMessage,
      res: ServerResponse,
    ): Promise<{ readonly params: Readonly<Record<string, unknown>> }>;
    interactionFinished(req: IncomingMessage, res: ServerResponse, result: object): Promise<void>;
  }
}
