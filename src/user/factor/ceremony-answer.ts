import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { unstorableMember } from '../../foundation/crypto/json-members.js';
import { TRANSPORTS, type Transport } from './auth-key.entity.js';
import { passkeyRefused } from './factor.errors.js';

/** Where the key is: in the device of the browser, or elsewhere (WebAuthn Level 3 §5.4.5). */
const ATTACHMENTS = ['platform', 'cross-platform'] as const;
/** Certificates make answers long; we ask for none. */
const MAX_ANSWER_CHARACTERS = 16_384;
/** WebAuthn Level 3 §4, credential ID. */
export const MAX_CREDENTIAL_ID_BYTES = 1_023;
const BASE64URL = /^[A-Za-z0-9_-]+$/;

type Members = Readonly<Record<string, unknown>>;

/** An answer to `navigator.credentials.get`, as a form brings it. */
export function parseAssertion(text: string): AuthenticationResponseJSON {
  const { id, attachment, response } = parseCredential(text);
  const userHandle = response['userHandle'];
  return {
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    ...(attachment === undefined ? {} : { authenticatorAttachment: attachment }),
    response: {
      clientDataJSON: bytesIn(response, 'clientDataJSON'),
      authenticatorData: bytesIn(response, 'authenticatorData'),
      signature: bytesIn(response, 'signature'),
      ...(userHandle == null || userHandle === '' ? {} : { userHandle: bytesIn(response, 'userHandle') }),
    },
  };
}

/** An answer to `navigator.credentials.create`. */
export function parseAttestation(text: string): RegistrationResponseJSON & { readonly transports: Transport[] } {
  const { id, response } = parseCredential(text);
  const sent = Array.isArray(response['transports']) ? (response['transports'] as unknown[]) : [];
  return {
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      clientDataJSON: bytesIn(response, 'clientDataJSON'),
      attestationObject: bytesIn(response, 'attestationObject'),
    },
    // New transports may come (WebAuthn Level 3 §5.8.4): those that are not known here are left out.
    transports: TRANSPORTS.filter((transport) => sent.includes(transport)),
  };
}

/** Reads the members named here and leaves out all others: no part of an answer is passed on unread. */
function parseCredential(text: string): {
  readonly id: string;
  readonly attachment: (typeof ATTACHMENTS)[number] | undefined;
  readonly response: Members;
} {
  if (text.length > MAX_ANSWER_CHARACTERS) throw passkeyRefused('the answer is too long');
  const credential = membersOf(readJson(text), 'the answer');
  const id = bytesIn(credential, 'id');
  if (Buffer.from(id, 'base64url').length > MAX_CREDENTIAL_ID_BYTES) throw passkeyRefused('the id is too long');
  if (credential['rawId'] !== id) throw passkeyRefused('id and rawId differ');
  if (credential['type'] !== 'public-key') throw passkeyRefused('the type is not public-key');
  // Values that come later count as none (WebAuthn Level 3 §2.1.1).
  const attachment = ATTACHMENTS.find((known) => known === credential['authenticatorAttachment']);
  return { id, attachment, response: membersOf(credential['response'], 'response') };
}

function readJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw passkeyRefused('the answer is not JSON');
  }
  if (unstorableMember(text, value) !== undefined)
    throw passkeyRefused('the answer contains NUL or unpaired surrogates');
  return value;
}

function membersOf(value: unknown, what: string): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw passkeyRefused(`${what} is not an object`);
  return value as Members;
}

function bytesIn(members: Members, name: string): string {
  const value = Object.hasOwn(members, name) ? members[name] : undefined;
  if (typeof value !== 'string' || !BASE64URL.test(value)) throw passkeyRefused(`${name} is not base64url`);
  return value;
}

/** The challenge that an answer names, which proves nothing before the signature is verified. */
export function challengeIn({ response }: AuthenticationResponseJSON): string | undefined {
  const text = Buffer.from(response.clientDataJSON, 'base64url').toString();
  return /"challenge"\s*:\s*"([\w-]+)"/.exec(text)?.[1];
}
