/** Preloaded into a process under test (`node --import`): every name below `.test` is this machine. */
import dns from 'node:dns';

const lookup = dns.lookup;

dns.lookup = (name, options, callback) => {
  if (!name.endsWith('.test')) return lookup(name, options, callback);
  const told = typeof options === 'function' ? options : callback;
  const wantsAll = typeof options === 'object' && options?.all === true;
  const address = '127.0.0.1';
  process.nextTick(() => (wantsAll ? told(null, [{ address, family: 4 }]) : told(null, address, 4)));
};
