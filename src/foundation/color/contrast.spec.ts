import { describe, expect, it } from '@jest/globals';
import { blackOrWhite, contrast, isColor, mix, READABLE, standingOut } from './contrast.js';

describe('Contrast of colours', () => {
  it('is that of WCAG 2.2', () => {
    expect(contrast('#000', '#ffffff')).toBeCloseTo(21);
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
    expect(contrast('#ffffff', '#777')).toBeCloseTo(4.48, 2);
  });

  it.each(['#808080', '#ff0000', '#ffcc00', '#0000ff', '#757575'])(
    'of black or white on %s is enough to read',
    (color) => {
      expect(contrast(blackOrWhite(color), color)).toBeGreaterThanOrEqual(READABLE);
    },
  );

  it('is reached on the way to another colour, and left alone where it is there', () => {
    expect(standingOut('#1d4a94', ['#ffffff'], '#000000')).toBe('#1d4a94');
    const yellow = standingOut('#ffcc00', ['#ffffff', '#f2f4f7'], '#14181f');
    expect(Math.min(contrast(yellow, '#ffffff'), contrast(yellow, '#f2f4f7'))).toBeGreaterThanOrEqual(READABLE);
    expect(yellow).not.toBe('#14181f');
  });

  it('is calculated of what is a colour alone', () => {
    expect(['#abc', '#A1B2C3', 'red', '#12', '#12345g', 'url(x)', ''].map(isColor)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
    expect(mix('#000000', '#fff', 0.5)).toBe('#808080');
  });
});
