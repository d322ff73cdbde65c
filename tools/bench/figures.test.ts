import { describe, expect, it } from '@jest/globals';
import { medianOf, percentileOf, spreadOf } from './figures.ts';

describe('medianOf', () => {
  it('is the middle value, or the mean of two, in whatever order they came', () => {
    expect(medianOf([10, 9, 100])).toBe(10);
    expect(medianOf([4, 1, 3, 2])).toBe(2.5);
  });

  it('does not exist without values', () => {
    expect(() => medianOf([])).toThrow('a median needs a value');
  });
});

describe('percentileOf', () => {
  const hundred = Array.from({ length: 100 }, (_, n) => 100 - n);

  it('is a measured value, by nearest rank', () => {
    expect(percentileOf(hundred, 0.5)).toBe(50);
    expect(percentileOf(hundred, 0.99)).toBe(99);
    expect(percentileOf(hundred, 1)).toBe(100);
    expect(percentileOf([7], 0.99)).toBe(7);
  });

  it('does not exist without values', () => {
    expect(() => percentileOf([], 0.5)).toThrow('a percentile needs a value');
  });
});

describe('spreadOf', () => {
  it('is nothing for one round, and the whole range as a part of the median for more', () => {
    expect(spreadOf([42])).toBe(0);
    expect(spreadOf([12, 10, 8])).toBe(0.4);
  });
});
