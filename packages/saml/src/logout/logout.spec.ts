import { beforeAll, describe, expect, it } from '@jest/globals';
import type { OutgoingMessage, ReceivedMessage } from '../bindings/message.js';
import { decodePost, toPostForm } from '../bindings/post.js';
import { decodeRedirect, toRedirectUrl } from '../bindings/redirect.js';
import { NAME_ID_FORMAT } from '../protocol/uris.js';
import { reasonOf } from '../refusal.fixture.js';
import { keyOf } from '../signature/keys.fixture.js';
import type { SigningKey } from '../signature/signing-key.js';
import { claimedLogoutIssuer, readLogoutRequest, writeLogoutRequest } from './logout-request.js';
import {
  claimedLogoutResponder,
  type LogoutOutcome,
  readLogoutResponse,
  writeLogoutResponse,
} from './logout-response.js';

const NOW = new Date('2026-11-30T12:00:00.000Z');
const PARTNER = 'https://sp.test';
const SLO = 'https://gatehouse.test/saml/v2/SLO';
const NAME = {
  value: 'g9Yk',
  format: NAME_ID_FORMAT.persistent,
  nameQualifier: 'https://gatehouse.test',
  spNameQualifier: PARTNER,
};

let key: SigningKey;
let other: SigningKey;
beforeAll(async () => {
  key = await keyOf('partner');
  other = await keyOf('other partner');
});

const request = (): OutgoingMessage =>
  writeLogoutRequest({ issuer: PARTNER, destination: SLO, nameId: NAME, sessionIndexes: ['1', '2'], now: NOW });
const answer = (outcome: LogoutOutcome = 'done'): OutgoingMessage =>
  writeLogoutResponse({ issuer: PARTNER, destination: SLO, requestId: '_request', outcome, now: NOW });

type Carry = (message: OutgoingMessage, key?: SigningKey) => ReceivedMessage;
const CARRIERS: Array<[string, Carry]> = [
  ['redirect', (message, signer) => decodeRedirect(toRedirectUrl(message, signer && { key: signer }).split('?')[1]!)],
  ['post', (message, signer) => decodePost(toPostForm(message, signer && { key: signer }).fields)],
];
const change = (message: OutgoingMessage, pattern: string | RegExp, replacement: string): OutgoingMessage => ({
  ...message,
  xml: message.xml.replace(pattern, replacement),
});

describe.each(CARRIERS)('SML-016: a LogoutRequest by %s', (_, carry) => {
  const read = (message: ReceivedMessage, now = NOW) =>
    readLogoutRequest(message, {
      partner: { entityId: PARTNER, signingCertificates: [key.certificate] },
      destination: SLO,
      now,
    });
  const refused = (message: OutgoingMessage, signer?: SigningKey, now = NOW): string =>
    reasonOf(() => read(carry(message, signer), now));

  it('of the partner is read as it was meant', () => {
    const message = request();
    expect(claimedLogoutIssuer(carry(message, key))).toBe(PARTNER);
    expect(read(carry(message, key))).toEqual({ id: message.id, nameId: NAME, sessionIndexes: ['1', '2'] });
  });

  it('without a signature is refused', () => {
    expect(refused(request())).toBe('signature_missing');
  });

  it('with the signature of another partner is refused', () => {
    expect(refused(request(), other)).toBe('signature_invalid');
  });

  it.each<[string, () => OutgoingMessage, string]>([
    ['of another issuer', () => change(request(), `>${PARTNER}<`, '>https://other.test<'), 'issuer_other'],
    ['to another address', () => change(request(), SLO, 'https://other.test/SLO'), 'destination_other'],
    ['to no address', () => change(request(), / Destination="[^"]*"/, ''), 'destination_missing'],
    ['that has expired', () => change(request(), '12:05:00', '11:59:00'), 'message_expired'],
    ['that is old', () => change(request(), 'T12:00:00', 'T11:54:59'), 'issued_long_ago'],
    ['of later than now', () => change(request(), 'T12:00:00', 'T12:01:01'), 'issued_in_future'],
    ['of nobody', () => change(request(), /<saml:NameID.*<\/saml:NameID>/, ''), 'element_missing'],
    [
      'of somebody encrypted',
      () => change(request(), /<saml:NameID.*<\/saml:NameID>/, '<saml:EncryptedID/>'),
      'identifier_encrypted',
    ],
    ['that is another message', () => answer(), 'parameter_misplaced'],
    ['that says to be a response', () => ({ ...answer(), parameter: 'SAMLRequest' as const }), 'element_unexpected'],
  ])('%s is refused', (_name, message, reason) => {
    expect(refused(message(), key)).toBe(reason);
  });
});

describe.each(CARRIERS)('A LogoutResponse by %s', (_, carry) => {
  const read = (message: ReceivedMessage) =>
    readLogoutResponse(message, {
      partner: { entityId: PARTNER, signingCertificates: [key.certificate] },
      destination: SLO,
      requestId: '_request',
      now: NOW,
    });
  const refused = (message: OutgoingMessage, signer?: SigningKey): string =>
    reasonOf(() => read(carry(message, signer)));

  it.each<LogoutOutcome>(['done', 'partial', 'failed'])('says: %s', (outcome) => {
    const message = carry(answer(outcome), key);
    expect(claimedLogoutResponder(message)).toBe(PARTNER);
    expect(read(message)).toBe(outcome);
  });

  it('of success with a partial logout says: partial', () => {
    const message = change(
      answer(),
      /<samlp:StatusCode ([^>]*)\/>/,
      '<samlp:StatusCode $1><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:PartialLogout"/></samlp:StatusCode>',
    );
    expect(read(carry(message, key))).toBe('partial');
  });

  it.each<[string, () => OutgoingMessage, string]>([
    ['to another request', () => change(answer(), '_request', '_other'), 'response_of_other_request'],
    ['of another issuer', () => change(answer(), `>${PARTNER}<`, '>https://other.test<'), 'issuer_other'],
    ['to another address', () => change(answer(), SLO, 'https://other.test/SLO'), 'destination_other'],
    ['that is another message', () => request(), 'parameter_misplaced'],
  ])('%s is refused', (_name, message, reason) => {
    expect(refused(message(), key)).toBe(reason);
  });

  it('without a signature or with that of another partner is refused', () => {
    expect(refused(answer())).toBe('signature_missing');
    expect(refused(answer(), other)).toBe('signature_invalid');
  });
});
