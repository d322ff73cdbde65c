import { classifyAddress } from './classify-address.ts';

/** Whether a server that listens on this host is reached from this machine only. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || classifyAddress(host) === 'loopback';
}
