import { describe, expect, it } from '@jest/globals';
import { OutboundError } from '@answer-evidence/ports';
import { assertAddresses, judgeUrl, type OutboundRules } from './judge-url.ts';

const strict: OutboundRules = { allowList: new Set() };
const listing = (...targets: readonly string[]): OutboundRules => ({ allowList: new Set(targets) });

const refusal = expect.objectContaining({ kind: 'address_refused' });
const judge =
  (text: string, rules = strict) =>
  () =>
    judgeUrl(text, rules);

describe('judgeUrl', () => {
  it.each([
    'https://witness.example/',
    'https://witness.example',
    'https://witness.example:443/add-checkpoint?x=1',
    'https://witness.example:8443/',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]:8443/',
    'https://xn--bcher-kva.example/',
  ])('allows %s', (text) => expect(judge(text)).not.toThrow());

  it.each([
    ['no URL', 'witness.example'],
    ['nothing', ''],
    ['http', 'http://witness.example/'],
    ['another scheme', 'ftp://witness.example/'],
    ['a file', 'file:///etc/passwd'],
    ['an upper-case scheme', 'HTTPS://witness.example/'],
    ['a user name', 'https://user@witness.example/'],
    ['a password', 'https://user:secret@witness.example/'],
    ['an empty user name', 'https://@witness.example/'],
    ['a fragment', 'https://witness.example/#x'],
    ['a space before', ' https://witness.example/'],
    ['a line feed within', 'https://witness.example/\nx'],
    ['a tab in the host', 'https://wit\tness.example/'],
    ['a backslash', 'https:\\\\witness.example/'],
    ['one slash', 'https:/witness.example/'],
    ['an upper-case host', 'https://Witness.example/'],
    ['a host beyond ASCII', 'https://b\u00fccher.example/'],
    ['an escape in the host', 'https://witness%2eexample/'],
    ['a dot at the end', 'https://witness.example./'],
    ['a low port', 'https://witness.example:22/'],
    ['the port of http', 'https://witness.example:80/'],
    ['port 0', 'https://witness.example:0/'],
    ['localhost', 'https://localhost/'],
    ['localhost with a dot', 'https://localhost./'],
    ['a name below localhost', 'https://a.localhost/'],
    ['this machine', 'https://127.0.0.1/'],
    ['this machine, shortened', 'https://127.1/'],
    ['this machine as a number', 'https://2130706433/'],
    ['this machine in hexadecimal', 'https://0x7f000001/'],
    ['this machine in octal', 'https://0177.0.0.1/'],
    ['a public address as a number', 'https://134744072/'],
    ['an address with a dot at its end', 'https://8.8.8.8./'],
    ['this machine over IPv6', 'https://[::1]/'],
    ['metadata of clouds', 'https://169.254.169.254/'],
    ['metadata, mapped', 'https://[::ffff:169.254.169.254]/'],
    ['metadata, mapped, in hexadecimal', 'https://[::ffff:a9fe:a9fe]/'],
    ['metadata by NAT64', 'https://[64:ff9b::a9fe:a9fe]/'],
    ['a private address', 'https://10.0.0.1/'],
    ['a link-local address', 'https://[fe80::1]/'],
    ['a zone id', 'https://[fe80::1%25eth0]/'],
    ['a unique local address', 'https://[fd00::1]/'],
  ])('refuses %s', (_, text) => {
    expect(judge(text)).toThrow(OutboundError);
    expect(judge(text)).toThrow(refusal);
  });

  it('allows every port of a listed host where the operator says so, and no other host', () => {
    const rules = listing('127.0.0.1:*', '[::1]:*');
    for (const text of ['http://127.0.0.1:8090/', 'https://127.0.0.1/', 'http://[::1]:22/']) {
      expect(judge(text, rules)).not.toThrow();
    }
    for (const text of ['http://127.0.0.2:8090/', 'http://127.1/', 'http://localhost:8090/']) {
      expect(judge(text, rules)).toThrow(refusal);
    }
  });

  it('allows what the operator has listed, at that port only, whatever its address and scheme', () => {
    const rules = listing('10.0.0.1:8080', 'tsa.internal:80', '[fd00::1]:443', 'localhost:25');
    for (const text of [
      'http://10.0.0.1:8080/x',
      'https://10.0.0.1:8080/',
      'http://tsa.internal/',
      'https://[fd00::1]/',
    ]) {
      expect(judge(text, rules)).not.toThrow();
    }
    expect(judge('http://localhost:25/', rules)).not.toThrow();
    for (const text of [
      'http://10.0.0.1:8081/',
      'http://10.0.0.1/',
      'http://10.0.0.2:8080/',
      'http://u:p@10.0.0.1:8080/',
      'http://167772161:8080/',
      'http://tsa.internal./',
      'http://tsa.internal:8080/',
    ]) {
      expect(judge(text, rules)).toThrow(refusal);
    }
  });

  it('says nothing of the URL', () => {
    const secret = 'https://hunter2.example:22/hunter2';
    let message = '';
    try {
      judgeUrl(secret, strict);
    } catch (error) {
      message = String(error);
    }
    expect(message).toContain('port');
    expect(message).not.toContain('hunter2');
  });
});

describe('assertAddresses', () => {
  const judged = judgeUrl('https://witness.example/', strict);
  const assert =
    (addresses: readonly string[], of = judged) =>
    () =>
      assertAddresses(of, addresses);

  it('asks that every address be a public one', () => {
    expect(assert(['8.8.8.8', '2606:4700:4700::1111'])).not.toThrow();
    for (const other of ['127.0.0.1', '10.0.0.1', '169.254.169.254', '::ffff:8.8.8.8', 'fe80::1%2']) {
      expect(assert([other])).toThrow(refusal);
      expect(assert(['8.8.8.8', other])).toThrow(refusal);
      expect(assert([other, '8.8.8.8'])).toThrow(refusal);
    }
    expect(assert([])).toThrow(expect.objectContaining({ kind: 'unreachable' }));
  });

  it('takes every address of a listed name', () => {
    const rules = listing('witness.example:443');
    expect(assert(['10.0.0.1', '::1'], judgeUrl('https://witness.example/', rules))).not.toThrow();
  });
});
