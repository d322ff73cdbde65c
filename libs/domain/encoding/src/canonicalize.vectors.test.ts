import { describe, expect, it } from '@jest/globals';
import { canonicalize, parseJsonText } from './index.ts';

/** cyberphone/json-canonicalization, testdata/{input,output}: arrays, french, structures, unicode, values, weird. */
const SAMPLES: readonly (readonly [string, string, string])[] = [
  [
    'arrays',
    '[\n  56,\n  {\n    "d": true,\n    "10": null,\n    "1": [ ]\n  }\n]',
    '[56,{"1":[],"10":null,"d":true}]',
  ],
  [
    'french',
    '{"peach": "This sorting order", "p\u00e9ch\u00e9": "is wrong according to French",' +
      ' "p\u00eache": "but canonicalization MUST", "sin": "ingnore locale"}',
    '{"peach":"This sorting order","p\u00e9ch\u00e9":"is wrong according to French",' +
      '"p\u00eache":"but canonicalization MUST","sin":"ingnore locale"}',
  ],
  [
    'structures',
    '{"1": {"f": {"f": "hi","F": 5} ,"\\n": 56.0}, "10": { }, "": "empty", "a": { }, "111": [ { } ], "A": { }}',
    '{"":"empty","1":{"\\n":56,"f":{"F":5,"f":"hi"}},"10":{},"111":[{}],"A":{},"a":{}}',
  ],
  ['unicode', '{"Unnormalized Unicode":"\\u1e0d\\u0307"}', '{"Unnormalized Unicode":"\u1e0d\u0307"}'],
  [
    'weird',
    '{"\\u20ac": "Euro Sign", "1": "One", "\\u0080": "Control\\u007f", "\\ud83d\\ude02": "Smiley",' +
      ' "\\u00f6": "Latin Small Letter O With Diaeresis", "\\ufb33": "Hebrew Letter Dalet With Dagesh",' +
      ' "</script>": "Browser Challenge"}',
    '{"1":"One","</script>":"Browser Challenge","\u0080":"Control\u007f",' +
      '"\u00f6":"Latin Small Letter O With Diaeresis","\u20ac":"Euro Sign","\ud83d\ude02":"Smiley",' +
      '"\ufb33":"Hebrew Letter Dalet With Dagesh"}',
  ],
  [
    'the example of RFC 8785 section 3.2.3',
    '{"\\u20ac": "Euro Sign", "\\r": "Carriage Return", "\\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",' +
      ' "\\ud83d\\ude00": "Emoji: Grinning Face", "\\u0080": "Control", "\\u00f6": "Latin Small Letter O With Diaeresis"}',
    '{"\\r":"Carriage Return","1":"One","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis",' +
      '"\u20ac":"Euro Sign","\ud83d\ude00":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
  ],
];

/** RFC 8785 appendix B. */
const NUMBERS: readonly (readonly [string, string])[] = [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
];

describe('canonicalize', () => {
  it.each(SAMPLES)('gives the published form of %s', (_, input, output) => {
    expect(canonicalize(parseJsonText(input))).toBe(output);
  });

  it('gives the published form of values', () => {
    // Not read by parseJsonText: 1E30 is an integer beyond 2^53, which a submitted document may not hold.
    const value = {
      numbers: [1e30, 4.5, 333333333.3333333, 2e-3, 0.000000000000000000000000001],
      escaping: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
      literals: [null, true, false],
    };
    expect(canonicalize(value)).toBe(
      '{"escaping":"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/","literals":[null,true,false],' +
        '"numbers":[1e+30,4.5,333333333.3333333,0.002,1e-27]}',
    );
  });

  it.each(NUMBERS)('writes the double %s as %s', (bits, text) => {
    expect(canonicalize(Buffer.from(bits, 'hex').readDoubleBE())).toBe(text);
  });

  it.each(['7fffffffffffffff', '7ff0000000000000', 'fff0000000000000'])('refuses the double %s', (bits) => {
    expect(() => canonicalize(Buffer.from(bits, 'hex').readDoubleBE())).toThrow('not finite');
  });
});
