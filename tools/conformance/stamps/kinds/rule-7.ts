import { formatPem, generalizedTime, utcTime } from '../certificates.ts';
import { type Craft } from '../tokens.ts';
import { field, PLACES, type Row, type Rows } from './parts.ts';

const at = (genTime: string): Craft => ({ genTime });
const valid = (place: (typeof PLACES)[number], from: string, to: string): Craft => ({
  [place]: { notBefore: utcTime(from), notAfter: utcTime(to) },
});
/** Rows of the rule. */
export const RULE_7: Rows = [
  [
    ['one digit of a fraction', at('20261122212300.1Z')],
    ['seven digits of a fraction', at('20261122212300.1234567Z')],
    ['ten digits of a fraction', at('20261122212300.1234567891Z')],
    ['40 digits of a fraction', at(`20261122212300.${'1'.repeat(40)}Z`)],
    ['a fraction below a microsecond', at('20261122212300.0000001Z')],
    ['the first second of the certificates', at('20250101000000Z')],
    ['the last second of the certificates', at('20350101000000Z')],
    ['within the last second of the certificates', at('20350101000000.999999Z')],
    ['a leap day', at('20280229120000Z')],
    ...PLACES.map((place): Row => [
      `GeneralizedTime in the certificate of the ${place}`,
      { [place]: { notBefore: generalizedTime('20250101000000Z'), notAfter: generalizedTime('20350101000000Z') } },
    ]),
  ],
  [
    ['a fraction that ends in 0', at('20261122212300.170Z')],
    ['a fraction of 0', at('20261122212300.0Z')],
    ['a fraction without digits', at('20261122212300.Z')],
    ['a comma', at('20261122212300,5Z')],
    ['no seconds', at('202611222123Z')],
    ['no Z', at('20261122212300')],
    ['an offset', at('20261122212300+0000')],
    ['a leap second', at('20261231235960Z')],
    ['hour 24', at('20261122240000Z')],
    ['minute 60', at('20261122216000Z')],
    ['month 13', at('20261322212300Z')],
    ['February 29 of no leap year', at('20260229212300Z')],
    ['day 0', at('20261100212300Z')],
    ['the year 0', at('00001122212300Z')],
    ['the year 9999', at('99991122212300Z')],
    ['UTCTime', field(4, utcTime('261122212300Z'))],
    ['letters in the time', at('2026112221230OZ')],
    ['a second before the certificates', at('20241231235959Z')],
    ['a second after the certificates', at('20350101000001Z')],
    ...PLACES.flatMap((place): readonly Row[] => [
      [`the certificate of the ${place} had expired`, valid(place, '250101000000Z', '260101000000Z')],
      [`the certificate of the ${place} was not valid yet`, valid(place, '270101000000Z', '350101000000Z')],
      [`the time of the certificate of the ${place} does not exist`, valid(place, '250230000000Z', '350101000000Z')],
    ]),
    [
      'a pinned signer that had expired',
      { ...valid('signer', '250101000000Z', '260101000000Z'), pem: ({ signer: own }) => formatPem(own) },
    ],
    ['an end in UTCTime of 1950', valid('signer', '250101000000Z', '500101000000Z')],
    ['no seconds in a certificate', valid('signer', '2501010000Z', '350101000000Z')],
  ],
];
