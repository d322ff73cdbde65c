import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isPublicAddress } from './is-public-address.ts';

describe('isPublicAddress', () => {
  it.each(['8.8.8.8', '1.1.1.1', '172.15.255.255', '172.32.0.1', '2606:4700:4700::1111', '2a00:1450:4001::200e'])(
    'takes %s for public',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  it.each([
    ['this machine', '127.0.0.1'],
    ['this machine, at another address', '127.255.255.254'],
    ['this machine, IPv6', '::1'],
    ['metadata of clouds', '169.254.169.254'],
    ['metadata of Azure', '168.63.129.16'],
    ['metadata of Alibaba', '100.100.100.200'],
    ['metadata over IPv6', 'fd00:ec2::254'],
    ['"this network"', '0.0.0.0'],
    ['"this network", of another machine', '0.1.2.3'],
    ['private, 10/8', '10.1.2.3'],
    ['private, 172.16/12', '172.31.255.255'],
    ['private, 192.168/16', '192.168.0.1'],
    ['shared by a carrier', '100.64.0.1'],
    ['assignments of protocols', '192.0.0.192'],
    ['documentation', '203.0.113.9'],
    ['benchmarks', '198.19.0.1'],
    ['multicast', '239.1.1.1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['unspecified, IPv6', '::'],
    ['mapped loopback', '::ffff:127.0.0.1'],
    ['mapped public', '::ffff:8.8.8.8'],
    ['IPv4-compatible', '::127.0.0.1'],
    ['translated', '::ffff:0:10.0.0.1'],
    ['NAT64', '64:ff9b::a9fe:a9fe'],
    ['NAT64, local use', '64:ff9b:1::1'],
    ['6to4 of loopback', '2002:7f00:1::'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ['unique local', 'fc00::1'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['public with a zone', '2606:4700:4700::1111%eth0'],
    ['site-local', 'fec0::1'],
    ['multicast, IPv6', 'ff02::1'],
    ['documentation, IPv6', '2001:db8::1'],
    ['not assigned, IPv6', '4000::1'],
    ['a name', 'example.com'],
    ['nothing', ''],
  ])('refuses what is %s', (_, address) => expect(isPublicAddress(address)).toBe(false));

  it('never takes an IPv6 form of an IPv4 address for public', () => {
    const byte = fc.nat(255);
    fc.assert(
      fc.property(byte, byte, byte, byte, (a, b, c, d) => {
        const hex = (high: number, low: number) => ((high << 8) | low).toString(16);
        const [upper, lower] = [hex(a, b), hex(c, d)];
        for (const prefix of ['::ffff:', '::', '64:ff9b::', '::ffff:0:']) {
          fc.pre(a !== 0);
          expect(isPublicAddress(`${prefix}${upper}:${lower}`)).toBe(false);
        }
        expect(isPublicAddress(`2002:${upper}:${lower}::1`)).toBe(false);
      }),
    );
  });
});
