import { ORIGIN } from '../login/passkey-turns.js';
import type { Json } from '../support/admin-api.js';
import { Authenticator, FLAGS } from '../support/authenticator.js';

/** The domain of worlds whose address is `ORIGIN`. */
export const RP_ID = 'id.test';

/** A key that another service made for somebody whom it knew by this handle. */
export function madeElsewhere(handle: string, flags?: number): Authenticator {
  const device = new Authenticator(ORIGIN, flags);
  const user = { id: Buffer.from(handle).toString('base64url') };
  device.create(JSON.stringify({ challenge: 'AAAA', rp: { id: RP_ID }, user }));
  return device;
}

export const securityKey = (handle: string): Authenticator => madeElsewhere(handle, FLAGS.present);

/** An entry of `passkeys`. */
export function passkeyOf(device: Authenticator, more: Json = {}): Json {
  return {
    credentialId: Buffer.from(device.credentialId, 'base64url').toString('base64'),
    publicKey: device.coseKey.toString('base64'),
    rpId: RP_ID,
    name: 'Phone',
    ...more,
  };
}

let people = 0;

export interface DocumentPerson {
  readonly userId: string;
  readonly loginName: string;
  readonly entry: Json;
}

/** Somebody with these keys, and no other way to sign in. */
export function personWith(passkeys: readonly Json[], more: Json = {}): DocumentPerson {
  people += 1;
  const userId = `moved-${people}`;
  const loginName = `${userId}@moved.test`;
  return {
    userId,
    loginName,
    entry: {
      userId,
      user: {
        userName: loginName,
        profile: { firstName: 'Ilse', lastName: 'Moved' },
        email: { email: loginName, isEmailVerified: true },
        passkeys,
        ...more,
      },
    },
  };
}
