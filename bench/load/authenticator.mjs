import { createHash, createPrivateKey, sign } from 'node:crypto';

/** Present, verified, eligible for backup, backed up: a passkey that is synchronized, and does not count. */
const FLAGS = 0x1d;
const COUNTER = Buffer.alloc(4);

const sha256 = (data) => createHash('sha256').update(data).digest();

/** A device with one passkey (ES256), and the browser before it, as Web Authentication describes them. */
export class Authenticator {
  /** @param {{ credentialId: string, privateKey: string, userHandle: string }} passkey @param {string} origin of the page */
  constructor({ credentialId, privateKey, userHandle }, origin) {
    this.credentialId = credentialId;
    this.privateKey = createPrivateKey(privateKey);
    this.userHandle = userHandle;
    this.origin = origin;
  }

  /** The answer to the options of a page, as its form sends it. */
  get({ challenge, rpId }) {
    const clientData = Buffer.from(
      JSON.stringify({ type: 'webauthn.get', challenge, origin: this.origin, crossOrigin: false }),
    );
    const data = Buffer.concat([sha256(rpId), Buffer.from([FLAGS]), COUNTER]);
    const signature = sign('sha256', Buffer.concat([data, sha256(clientData)]), this.privateKey);
    return JSON.stringify({
      id: this.credentialId,
      rawId: this.credentialId,
      type: 'public-key',
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: this.userHandle,
      },
      clientExtensionResults: {},
    });
  }
}
