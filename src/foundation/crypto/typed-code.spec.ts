import { expect, it } from '@jest/globals';
import { plainCode } from './typed-code.js';

it.each([
  ['123456', '123456'],
  [' 123 456\u00a0', '123456'],
  ['12-34–56', '123456'],
  ['１２３４５６', '123456'],
  ['٠١٢٣٤٥٦٧٨٩', '0123456789'],
  ['۰۱۲۹', '0129'],
  ['०१२९', '0129'],
  ['\u200b1\u200e2\u3000３', '123'],
  ['abc-ＤＥＦ', 'ABCDEF'],
  ['', ''],
])('A code is the same however it was typed: %j', (typed, plain) => {
  expect(plainCode(typed)).toBe(plain);
});
