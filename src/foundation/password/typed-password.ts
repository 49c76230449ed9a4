import { Secret } from '../config/secret.js';

/**
 * The form in which new passwords are hashed: Unicode Normalization Form C (RFC 8265 §4.2.1). Some keyboards and
 * browsers send another one.
 */
export function composed(password: Secret): Secret {
  return new Secret(password.reveal().normalize('NFC'));
}

/**
 * The texts of which a hash may have been made: the text as it was typed, by a service that did not normalize it, or
 * either canonical form. Most texts are all of them, and are one.
 */
export function spellingsOf(password: Secret): readonly Secret[] {
  const typed = password.reveal();
  return [...new Set([typed, typed.normalize('NFC'), typed.normalize('NFD')])].map((text) => new Secret(text));
}
