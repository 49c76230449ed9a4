import { Injectable } from '@nestjs/common';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { PasskeyConfig } from '../../foundation/config/config.js';
import { DomainError } from '../../foundation/error/domain-error.js';
import type { AuthKey } from './auth-key.entity.js';
import { parseAttestation } from './ceremony-answer.js';
import type { OpenChallenge } from './challenge.js';
import { COSE_ALGORITHMS, coseKeyProblem } from './cose-key.js';
import type { KeyKind } from './factor.entity.js';
import { challengeExpired, passkeyRefused, passkeysUnavailable, userNotVerified } from './factor.errors.js';
import type { KeyUse } from './key-use-sql.js';

/** How long the browser's dialog waits. */
const TIMEOUT_MS = 300_000;

/** Where the browser offers first to keep a key (WebAuthn Level 3 §5.8.7). */
const HERE = ['client-device'] as const;
const ELSEWHERE = ['security-key', 'hybrid'] as const;

/** Says whether a challenge is ours, was made for this place, and is not too old. */
export type ChallengeCheck = (value: string) => OpenChallenge | 'expired' | undefined;

/** A key as a browser may be told of it. */
export type KeyHint = Pick<AuthKey, 'credentialId' | 'transports'>;

/** A stored key, with what an answer of it is checked against. */
export type UsableKey = Pick<AuthKey, 'credentialId' | 'userHandle' | 'publicKey' | 'rpId' | 'backupEligible'>;

/** A key that has signed, with what its next use is compared with. */
export interface Assertion extends KeyUse {
  readonly challenge: OpenChallenge;
  readonly isUserVerified: boolean;
}

/** A new key, which nobody has yet. */
export interface Attestation {
  readonly challenge: OpenChallenge;
  readonly key: Pick<
    AuthKey,
    'credentialId' | 'publicKey' | 'rpId' | 'signCount' | 'transports' | 'aaguid' | 'backupEligible' | 'backedUp'
  >;
}

interface Expected {
  readonly challenge: ChallengeCheck;
  /** Passkeys stand for both factors: the authenticator must have verified the user. */
  readonly mustVerifyUser: boolean;
}

/** Loaded when the first key is used: what reads certificates is large. */
const library = () => import('@simplewebauthn/server');
const helpers = () => import('@simplewebauthn/server/helpers');

/**
 * The registration and the use of keys (WebAuthn Level 3 §7.1 and §7.2): a library parses and verifies, and this file
 * adds each check that the library leaves to its caller. Nothing else reads what an authenticator says. Every fault
 * becomes a refusal, since the library throws errors of many kinds for what callers have sent.
 */
@Injectable()
export class PasskeyCeremony {
  constructor(private readonly config: PasskeyConfig) {}

  /** Whether there are passkeys here at all. */
  get isPossible(): boolean {
    return this.config.rpId !== undefined;
  }

  /** @throws DomainError FailedPrecondition `passkey.unavailable` */
  get rpId(): string {
    if (this.config.rpId === undefined) throw passkeysUnavailable();
    return this.config.rpId;
  }

  /** Without `allowed` the browser offers every passkey of this domain. */
  requestOptions(
    challenge: string,
    { allowed = [], mustVerifyUser }: { readonly allowed?: readonly KeyHint[]; readonly mustVerifyUser: boolean },
  ): PublicKeyCredentialRequestOptionsJSON {
    return {
      challenge,
      timeout: TIMEOUT_MS,
      rpId: this.rpId,
      allowCredentials: allowed.map(toDescriptor),
      // `preferred` is never used: some browsers then skip the verification although it is possible.
      userVerification: mustVerifyUser ? 'required' : 'discouraged',
    };
  }

  creationOptions(
    challenge: string,
    of: {
      readonly kind: KeyKind;
      /**
       * `id` is that of the account: keys move with their user (WebAuthn Level 3 §14.6.1: nothing that identifies a
       * person).
       */
      readonly user: { readonly id: string; readonly name: string; readonly displayName: string };
      readonly brand: string;
      /** All keys of the user. */
      readonly existing: readonly KeyHint[];
      /** The user wants it on the device of the browser, or on another one; undefined: wherever. */
      readonly isForThisDevice?: boolean | undefined;
    },
  ): PublicKeyCredentialCreationOptionsJSON {
    const isPasskey = of.kind === 'passkey';
    const { id, name, displayName } = of.user;
    return {
      challenge,
      timeout: TIMEOUT_MS,
      rp: { id: this.rpId, name: of.brand },
      user: { id: Buffer.from(id).toString('base64url'), name, displayName },
      pubKeyCredParams: COSE_ALGORITHMS.map((alg) => ({ alg, type: 'public-key' })),
      excludeCredentials: of.existing.map(toDescriptor),
      // Its user may still choose another place.
      ...(of.isForThisDevice === undefined ? {} : { hints: of.isForThisDevice ? [...HERE] : [...ELSEWHERE] }),
      authenticatorSelection: {
        // Security keys have few slots for resident credentials.
        residentKey: isPasskey ? 'required' : 'discouraged',
        requireResidentKey: isPasskey,
        userVerification: isPasskey ? 'required' : 'discouraged',
        ...(isPasskey ? {} : { authenticatorAttachment: 'cross-platform' as const }),
      },
      attestation: 'none',
    };
  }

  /**
   * @param ownerId whose key it is
   * @param isNamed whether the user is known without the answer; otherwise the answer must name the user
   * @throws DomainError InvalidArgument `passkey.refused`, `passkey.user_not_verified`; FailedPrecondition
   * `passkey.challenge_expired`
   */
  async verifyAssertion(
    answer: AuthenticationResponseJSON,
    key: UsableKey,
    expected: Expected & { readonly ownerId: string; readonly isNamed: boolean },
  ): Promise<Assertion> {
    const { rpId } = this;
    return asRefusal(async () => {
      const { verifyAuthenticationResponse } = await library();
      // WebAuthn Level 3 §7.2: the key is that of the answer, and the answer names its owner or nobody.
      if (answer.id !== key.credentialId) throw passkeyRefused('the id is that of another key');
      if (key.rpId !== rpId) throw passkeyRefused('the key was made for another domain');
      checkHandle(answer.response.userHandle, handleOf(key, expected.ownerId), expected.isNamed);
      const challenge = await this.checkClientData(answer.response.clientDataJSON, 'webauthn.get', expected);
      const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
        response: answer,
        expectedChallenge: challenge.value,
        expectedOrigin: this.config.origin,
        expectedRPID: rpId,
        expectedType: 'webauthn.get',
        requireUserVerification: false,
        // Compared when it is stored; here it would be before the signature is known to be right.
        credential: { id: key.credentialId, publicKey: new Uint8Array(key.publicKey), counter: 0 },
      });
      if (!verified) throw passkeyRefused('the signature is wrong');
      if (expected.mustVerifyUser && !info.userVerified) throw userNotVerified();
      // WebAuthn Level 3 §6.1.3: whether a key can be synchronized never changes.
      const backupEligible = info.credentialDeviceType === 'multiDevice';
      if (backupEligible !== (key.backupEligible ?? backupEligible))
        throw passkeyRefused('backup eligibility has changed');
      return {
        challenge,
        isUserVerified: info.userVerified,
        signCount: info.newCounter,
        backupEligible,
        backedUp: info.credentialBackedUp,
      };
    });
  }

  /**
   * @param text as the form brings it
   * @throws DomainError as `verifyAssertion`
   */
  async verifyAttestation(text: string, expected: Expected): Promise<Attestation> {
    const { rpId } = this;
    return asRefusal(async () => {
      const { transports, ...answer } = parseAttestation(text);
      const { verifyRegistrationResponse } = await library();
      const challenge = await this.checkClientData(answer.response.clientDataJSON, 'webauthn.create', expected);
      await checkFormat(answer.response.attestationObject);
      const result = await verifyRegistrationResponse({
        response: answer,
        expectedChallenge: challenge.value,
        expectedOrigin: this.config.origin,
        expectedRPID: rpId,
        expectedType: 'webauthn.create',
        requireUserPresence: true,
        requireUserVerification: false,
        supportedAlgorithmIDs: [...COSE_ALGORITHMS],
      });
      if (!result.verified) throw passkeyRefused('the attestation is wrong');
      const { credential, aaguid, credentialDeviceType, credentialBackedUp, userVerified } = result.registrationInfo;
      if (expected.mustVerifyUser && !userVerified) throw userNotVerified();
      if (credential.id !== answer.id) throw passkeyRefused('the id is that of another key');
      const problem = coseKeyProblem(Buffer.from(credential.publicKey));
      if (problem !== undefined) throw passkeyRefused(`the key ${problem}`);
      return {
        challenge,
        key: {
          credentialId: credential.id,
          publicKey: Buffer.from(credential.publicKey),
          rpId,
          signCount: String(credential.counter),
          transports,
          aaguid,
          backupEligible: credentialDeviceType === 'multiDevice',
          backedUp: credentialBackedUp,
        },
      };
    });
  }

  /** WebAuthn Level 3 §7.1 and §7.2: ours is the page at the top; a frame of another site gets nothing signed. */
  private async checkClientData(encoded: string, type: string, { challenge }: Expected): Promise<OpenChallenge> {
    const { decodeClientDataJSON } = await helpers();
    const data = decodeClientDataJSON(encoded);
    if (data.type !== type) throw passkeyRefused(`the type is not ${type}`);
    if (data.origin !== this.config.origin) throw passkeyRefused('the origin is not ours');
    if (data.crossOrigin !== undefined && data.crossOrigin !== false)
      throw passkeyRefused('the page was in a frame of another site');
    if (data.topOrigin !== undefined) throw passkeyRefused('the page was in a frame of another site');
    const open = typeof data.challenge === 'string' ? challenge(data.challenge) : undefined;
    if (open === 'expired') throw challengeExpired();
    if (!open) throw passkeyRefused('the challenge was not made for this');
    return open;
  }
}

function toDescriptor({ credentialId, transports }: KeyHint) {
  return { id: credentialId, type: 'public-key' as const, transports: [...transports] };
}

/** The handle that the key was made with, in base64url. */
export function handleOf({ userHandle }: Pick<AuthKey, 'userHandle'>, ownerId: string): string {
  return userHandle ?? Buffer.from(ownerId).toString('base64url');
}

/**
 * WebAuthn Level 3 §7.2: the handle is that of the owner; without a named user it must be there. The id of the key has
 * said already whose it is: no handle finds a user.
 */
function checkHandle(handle: string | undefined, stored: string, isNamed: boolean): void {
  if (handle === undefined && isNamed) return;
  if (handle !== stored) throw passkeyRefused('the user handle is not the owner’s');
}

/**
 * We ask for no attestation, and take none that has certificates: the library would fetch what they name. What is left
 * is no statement, and one that the key itself has signed (WebAuthn Level 3 §5.1.3).
 */
async function checkFormat(attestationObject: string): Promise<void> {
  const { decodeAttestationObject, isoBase64URL } = await helpers();
  const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const format = decoded.get('fmt');
  const hasCertificates = format === 'packed' && decoded.get('attStmt').get('x5c') !== undefined;
  if ((format !== 'none' && format !== 'packed') || hasCertificates)
    throw passkeyRefused('the attestation has a format that is not accepted');
}

/** The library throws for most of what is wrong with an answer, and so does what it parses with. */
async function asRefusal<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw passkeyRefused(error instanceof Error ? error.message.slice(0, 200) : 'unreadable');
  }
}
