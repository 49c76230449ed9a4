import { Secret } from '../config/secret.js';

/**
 * As new hashes are made: Unicode Normalization Form C (RFC 8265 §4.2.1). Some keyboards and browsers send another
 * one.
 */
export function composed(password: Secret): Secret {
  return new Secret(password.reveal().normalize('NFC'));
}

/**
 * Of what a hash may have been made: of the text as it was typed, by a service that did not normalize it, or of either
 * canonical form. Most texts are all of them, and are one.
 */
export function spellingsOf(password: Secret): readonly Secret[] {
  const typed = password.reveal();
  return [...new Set([typed, typed.normalize('NFC'), typed.normalize('NFD')])].map((text) => new Secret(text));
}
