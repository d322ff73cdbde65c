import type { PackLink, WordLanguage } from '@answer-evidence/verify';
import { element } from '../page/elements.ts';
import { fill } from '../page/page-words.ts';
import { formatTime } from '../page/plain-text.ts';
import { drawQrCode } from './draw-qr-code.ts';
import { PACK_WORDS } from './pack-words.ts';

/** The way to the public page of a record, for a camera and for a hand; nothing where the pack names none. */
export function showLink(link: PackLink | undefined, language: WordLanguage): readonly Node[] {
  if (link === undefined) return [];
  const words = PACK_WORDS[language];
  const address = { href: link.url, rel: 'noreferrer', target: '_blank' };
  return [
    element(
      'figure',
      { className: 'link' },
      drawQrCode(link.url, words.linkQr),
      element(
        'figcaption',
        {},
        fill(words.link, { at: formatTime(link.expiresAt, language) }),
        element('a', address, new URL(link.url).host),
      ),
    ),
  ];
}
