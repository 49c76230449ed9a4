import { expect, it } from '@jest/globals';
import { metadataKeyProblem } from './metadata-key.js';

it.each(['_bulk', '_search', '.', '..'])('A metadata key is not what no path could name: %s', (key) => {
  expect(metadataKeyProblem(key)).toMatch(/^must not be /);
});

it.each(['bulk', '_other', '...', 'a/b', '%2f', '__proto__', '_Bulk2'])('A metadata key may be %s', (key) => {
  expect(metadataKeyProblem(key)).toBeUndefined();
});
