import type { Page } from 'playwright-core';

/** What no page of the console has by itself, as a selector. */
export const FOREIGN =
  'body script, body style:not([data-mantine-styles]), body link, iframe, frame, object, embed, base, ' +
  'meta[http-equiv], marquee, plaintext, xmp, math, body template, body meta, img, [srcdoc], ' +
  // A chart names its bars so, and one that is drawn by a library itself.
  'body title:not(figure svg title, [data-chart] svg title)';

/** An expression for it, which other expressions may have in them. */
export const PROBE = String.raw`(() => {
  const found = [];
  const note = (what, element) => found.push(what + ': ' + element.outerHTML.slice(0, 120));
  for (const element of document.querySelectorAll('body *'))
    for (const { name } of element.attributes) if (name.startsWith('on')) note('handler', element);
  for (const element of document.querySelectorAll('${FOREIGN}')) note('markup', element);
  for (const element of document.querySelectorAll('[href], [src], [action], [formaction]'))
    for (const name of ['href', 'src', 'action', 'formaction']) {
      const value = element.getAttribute(name);
      if (value === null || value.startsWith('#')) continue;
      const to = URL.parse(value, location.href);
      if (to === null || (to.protocol !== 'blob:' && to.origin !== location.origin)) note('address', element);
    }
  const acting = /(?![\t\n])[\p{Cc}\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}]/u;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    // A field has what was typed as it is.
    if (element.tagName !== 'TEXTAREA' && acting.test(walker.currentNode.data)) note('acting', element);
  }
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) found.push('wider than the page: ' + scrollWidth);
  if ({}.polluted !== undefined) found.push('a prototype was changed');
  return found.slice(0, 10);
})()`;

/**
 * What a page made of texts beside text: elements, handlers, addresses of others, characters that act on what is beside
 * them, a page that is too wide. Empty: nothing.
 */
export function findRanMarkup(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(PROBE);
}
