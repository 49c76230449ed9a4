import type { SourcePasskey } from '../passkeys.js';
import type { Report } from '../report.js';
import type { SourceObject } from '../source-object.js';
import type { KeyType } from './key-type.js';
import type { Realm } from './realm.js';

/** The domain for which the keys of a realm were made, by type; empty where nothing says it. */
export type RpIds = Readonly<Record<KeyType, string>>;

/**
 * Keycloak takes the domain of its policy, or else the host of its own address. An export has that only where the realm
 * has one of its own.
 * @param otherwise where the export does not say it
 */
export function rpIdsOf({ settings }: Realm, otherwise: string): RpIds {
  const host = hostOf(settings.object('attributes').text('frontendUrl')) || otherwise;
  return {
    webauthn: settings.text('webAuthnPolicyRpId') || host,
    'webauthn-passwordless': settings.text('webAuthnPolicyPasswordlessRpId') || host,
  };
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}

/** Here the browser finds passkeys without a name, which Keycloak did not always demand. */
export function noteUndiscoverable({ name, settings, keyTypes }: Realm, report: Report): void {
  const demand = settings.text('webAuthnPolicyPasswordlessRequireResidentKey');
  const newer = settings.text('webAuthnPolicyPasswordlessResidentKey');
  if (!keyTypes.has('webauthn-passwordless') || demand === 'Yes' || newer === 'required') return;
  report.note(
    'Realms that did not demand discoverable passkeys: those that are not discoverable are asked for after a password alone',
    name,
  );
}

/** The key of a credential; undefined if it is left out, which is reported. */
export function keyOf(
  type: KeyType,
  credential: SourceObject,
  { userId, name, rpIds }: { readonly userId: string; readonly name: string; readonly rpIds: RpIds },
  report: Report,
): Partial<SourcePasskey> | undefined {
  const rpId = rpIds[type];
  const lack =
    rpId === ''
      ? 'of a realm that does not name their domain: left out. Convert with --rp-id: the host of the address of Keycloak'
      : userId === ''
        ? 'of users without an id, which is the user handle of their keys: left out'
        : undefined;
  if (lack !== undefined) {
    credential.skip();
    report.lose(`Passkeys and security keys ${lack}`, name);
    return undefined;
  }
  const data = credential.embedded('credentialData');
  data.ignore('attestationStatement', 'attestationStatementFormat');
  // Keys have no secret.
  credential.ignore('secretData');
  const created = credential.number('createdDate');
  report.note(`Passkeys and security keys: they work only if PASSKEY_RP_ID of the instance is ${rpId}`, name);
  return {
    credentialId: data.text('credentialId'),
    publicKey: data.text('credentialPublicKey'),
    // Keycloak counts its uses rather than keeping the counter of the authenticator, which is never smaller.
    counter: data.number('counter') ?? 0,
    name: credential.text('userLabel'),
    transports: data.texts('transports'),
    aaguid: data.text('aaguid'),
    userHandle: Buffer.from(userId).toString('base64'),
    rpId,
    isSecondFactor: type === 'webauthn',
    ...(created === undefined ? {} : { creationDate: new Date(created).toISOString() }),
  };
}
