import { Agent, get } from 'node:http';
import { HEALTH_SECONDS, HEALTH_TIMEOUT_SECONDS } from './format-proxies.ts';

/** Knows which processes take connections and respond to nothing. */
type InstanceWatch = { isHung(instance: string): boolean; close(): void };

/** Asks each process whether it lives, every second, as the generated configurations of Caddy and Envoy do. */
export function watchInstances(instances: () => readonly string[]): InstanceWatch {
  const agent = new Agent({ keepAlive: true });
  const hung = new Set<string>();
  const asking = new Set<string>();
  const timer = setInterval(() => {
    for (const instance of instances()) if (!asking.has(instance)) ask(instance);
  }, HEALTH_SECONDS * 1_000);
  timer.unref();

  function ask(instance: string): void {
    asking.add(instance);
    const asked = get(`${instance}/livez`, { agent, timeout: HEALTH_TIMEOUT_SECONDS * 1_000 }, (reply) => {
      reply.resume();
      hung.delete(instance);
    });
    asked.once('timeout', () => {
      hung.add(instance);
      asked.destroy();
    });
    // One that refuses the connection is passed over when a request is sent to it.
    asked.once('error', () => undefined);
    asked.once('close', () => asking.delete(instance));
  }

  return {
    isHung: (instance) => hung.has(instance),
    close() {
      clearInterval(timer);
      agent.destroy();
    },
  };
}
