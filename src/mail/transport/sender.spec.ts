import { expect, it } from '@jest/globals';
import { senderOfServer } from './sender.js';

it.each([
  ['', 'a@b.test'],
  ['Acme Zürich 2', 'Acme Zürich 2 <a@b.test>'],
  ['Acme, Inc.', '"Acme, Inc." <a@b.test>'],
  ['"Acme" <x@y.test>, \\', '"\\"Acme\\" <x@y.test>, \\\\" <a@b.test>'],
])('The sender with the name %j is one address: %s', (senderName, sender) =>
  expect(senderOfServer({ senderName, senderAddress: 'a@b.test' })).toBe(sender),
);
