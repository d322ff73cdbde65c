import { describe, expect, it } from '@jest/globals';
import { listWords } from './list-words.ts';
import { readSought } from './read-sought.ts';

const isFound = (text: string, typed: string): boolean => {
  const words = new Set(listWords(text));
  const { sought } = readSought(typed);
  return sought.length > 0 && sought.every((one) => one.words.every((word) => words.has(word)));
};

describe('a text', () => {
  it.each([
    ['Can I return my jackets?', 'jacket'],
    ['Can I return a jacket?', 'JACKETS'],
    ['It was returned.', 'returns'],
    ['Returning it is free', 'return'],
    ['deliveries', 'delivery'],
    ['shipping', 'ship'],
    ['invoices', 'Invoice'],
    ['Wie lange habe ich für Jacken?', 'jacke'],
    ['Die Häuser', 'haus'],
    ['Rückgaben', 'ruckgabe'],
    ['RÜCKGABE', 'Rückgaben'],
    ['Rückgabe', 'Rueckgabe'],
    ['Rueckgaberecht', 'Rückgaberecht'],
    ['Meine Winterjacke ist undicht', 'Jacken'],
    ['Haftpflichtversicherung', 'Versicherungen'],
    ['Am Hauptbahnhof', 'bahnhof'],
    ['Arbeitsvertrag', 'Verträge'],
    ['Monatstickets', 'Ticket'],
    ['Die Rückgabefrist', 'Rückgabe'],
    ['Kundenservice', 'Kunden'],
    ['Straße', 'STRASSE'],
    ['Strasse', 'straße'],
    ['Café crème', 'cafe creme'],
    ['İADE', 'iade'],
    ['ılık ürün', 'ILIK'],
    ['Order 4471-B', '4471'],
    ['ﬁle Ａ１', 'file a1'],
    ['返金はできますか', '返金'],
    ['返金はできますか', 'できますか'],
    ['ジャケットを返品したい', 'ジャケット'],
    ['ｼﾞｬｹｯﾄ', 'ジャケット'],
    ['車の保険', '車'],
    ['我想退款', '退款'],
    ['ขอคืนเงินได้ไหม', 'คืนเงิน'],
    ['환불은 가능한가요', '환불'],
    ['أريد إرجاع السُّترة', 'السترة'],
    ['मुझे जैकेट वापस करनी है', 'जैकेट'],
    ['Верните ёлку', 'елку'],
    ["the customer's order", 'order'],
    ['🧥jacket🧥', 'jacket'],
  ])('%s is found by %s', (text, typed) => {
    expect(isFound(text, typed)).toBe(true);
  });

  it.each([
    ['Can I return a jacket?', 'coat'],
    ['返金はできますか', '退款'],
    ['はは', 'ぱぱ'],
    ['Order 4471', '447'],
    ['a jacket', 'jackdaw'],
    ['Jacketkrone', 'Krokodil'],
    ['anything', 'the of and'],
    ['anything', '?!'],
  ])('%s is not found by %s', (text, typed) => {
    expect(isFound(text, typed)).toBe(false);
  });
});

describe('a search', () => {
  it('leaves out by what people tell of an answer, unless nothing else is there', () => {
    expect(readSought('a customer asked about jackets')).toMatchObject({
      sought: [{ typed: 'jackets' }],
      leftOut: ['customer', 'asked'],
    });
    expect(readSought('Ein Kunde fragte nach Jacken').leftOut).toEqual(['Kunde', 'fragte']);
    expect(readSought('the question')).toMatchObject({ sought: [{ typed: 'question' }], leftOut: [] });
  });

  it('looks for a word once, however often it is there', () => {
    expect(readSought('jackets JACKET jacket').sought).toHaveLength(1);
  });

  it('is bounded, as a text is', () => {
    const many = Array.from({ length: 9_000 }, (_, n) => `w${n}`).join(' ');
    expect(listWords(many)).toHaveLength(4_000);
    expect(readSought(many)).toMatchObject({ sought: { length: 8 }, leftOut: { length: 8_992 } });
    expect(Math.max(...listWords('x'.repeat(100_000)).map(({ length }) => length))).toBeLessThanOrEqual(40);
    expect(readSought('退'.repeat(1_000) + '款'.repeat(1_000)).sought[0]?.words.length).toBeLessThanOrEqual(8);
  });
});
