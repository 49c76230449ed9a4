import { MAX_CREDENTIAL_ID_BYTES } from '../../user/factor/ceremony-answer.js';
import { coseKeyProblem, MAX_COSE_KEY_BYTES } from '../../user/factor/cose-key.js';
import { KEY_NAME_RULE, parseKeyName } from '../../user/factor/key-names.js';
import { bytes, type EntryOf, flag, flagIfSaid, Message, moment, text, texts, whole } from '../document/field.js';

/** WebAuthn Level 3 §5.4.3 */
const MAX_HANDLE_BYTES = 64;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** A domain as browsers write it: in ASCII. */
const DOMAIN = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i;
const TRANSPORT = { max: 32, maxItems: 16 };

/** A passkey or security key, with everything that its next use is checked against. */
export const PASSKEY = new Message(
  {
    credentialId: bytes(1, { min: 1, max: MAX_CREDENTIAL_ID_BYTES }),
    publicKey: bytes(2, { min: 1, max: MAX_COSE_KEY_BYTES, problem: coseKeyProblem }),
    counter: whole(3),
    name: text(4, { problem: (name) => (parseKeyName(name) === undefined ? KEY_NAME_RULE : undefined) }),
    transports: texts(5, TRANSPORT),
    aaguid: text(6, { problem: (aaguid) => (UUID.test(aaguid) ? undefined : 'must be a UUID') }),
    userHandle: bytes(7, { max: MAX_HANDLE_BYTES }),
    rpId: text(8, {
      min: 1,
      max: 253,
      problem: (rpId) => (DOMAIN.test(rpId) ? undefined : 'must be a domain, such as id.example.com'),
    }),
    isSecondFactor: flag(9),
    isBackupEligible: flagIfSaid(10),
    isBackedUp: flag(11),
    creationDate: moment(12),
  },
  ['credentialId', 'publicKey', 'rpId'],
);

export type DocumentPasskey = EntryOf<typeof PASSKEY.fields>;
