import type { OutboundCall, OutboundMethods, OutboundReply } from '@answer-evidence/ports';
import { exchange } from './exchange.ts';
import { judgeUrl, type OutboundRules } from './judge-url.ts';
import { type Resolve, resolveBySystem, resolveJudged } from './resolve-judged.ts';
import { withinTime } from './within-time.ts';

/** Rules, and what tests put in the place of the system's name look-up and of the authorities that Node trusts. */
export type OutboundOptions = OutboundRules & { readonly resolve?: Resolve; readonly ca?: string };

/** Calls outside addresses over `node:http` and `node:https`, within the rules. Ignores proxies in the environment. */
export function createOutboundHttp(options: OutboundOptions): OutboundMethods {
  const resolve = options.resolve ?? resolveBySystem;

  async function send(call: OutboundCall): Promise<OutboundReply> {
    const judged = judgeUrl(call.url, options);
    return await withinTime(call, async (signal) => {
      const addresses = await resolveJudged(judged, resolve, signal);
      return await exchange({ judged, addresses, call, signal, ca: options.ca });
    });
  }

  return {
    assertAllowed(url) {
      judgeUrl(url, options);
    },
    async post(request) {
      const { status, contentType, body } = await send({ ...request, method: 'POST' });
      return { status, contentType, body };
    },
    send,
  };
}
