import { generateKeyPair } from 'jose';

/**
 * RSA keys of the clients and service users of tests. Making one takes a tenth of a second, so the files of a worker share them;
 * within a file no two are the same. Loaded by Node itself, so that they outlive the files (native-modules.mjs).
 */
const pairs = [];

/** @param {number} place of the key among those that the file asks for */
export async function rsaKey(place) {
  pairs[place] ??= generateKeyPair('RS256', { extractable: true });
  return pairs[place];
}
