import { beforeAll, describe, expect, it } from '@jest/globals';
import { decodePost } from '../bindings/post.js';
import { decodeRedirect, toRedirectUrl } from '../bindings/redirect.js';
import { reasonOf } from '../refusal.fixture.js';
import { keyOf } from '../signature/keys.fixture.js';
import type { SigningKey } from '../signature/signing-key.js';
import {
  assertion,
  at,
  NOW,
  PARTS,
  RECIPIENT,
  REQUEST_ID,
  readPosted,
  response,
  signAssertion,
  signResponse,
} from './provider.fixture.js';
import { claimedRequestId, type ExpectedResponse } from './read-response.js';

let key: SigningKey;
let other: SigningKey;
beforeAll(async () => {
  key = await keyOf('provider');
  other = await keyOf('other provider');
});

const signedAnswer = (parts: Partial<typeof PARTS> = {}): string => signAssertion(response(assertion(parts)), key);
const refused = (xml: string, expected: Partial<ExpectedResponse> = {}): string =>
  reasonOf(() => readPosted(xml, key, expected));

describe('A response signs somebody in', () => {
  const person = {
    assertionId: '_assertion',
    nameId: {
      value: 'anna',
      format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      nameQualifier: undefined,
      spNameQualifier: undefined,
    },
    sessionIndex: '_session',
    sessionNotOnOrAfter: undefined,
    authnInstant: new Date(NOW.getTime() - 10_000),
    authnContext: 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport',
    attributes: [
      {
        name: 'mail',
        nameFormat: 'urn:oasis:names:tc:SAML:2.0:attrname-format:unspecified',
        friendlyName: undefined,
        values: ['anna@a.test'],
      },
    ],
  };

  it('if the assertion is signed', () => {
    expect(readPosted(signedAnswer(), key)).toEqual(person);
  });

  it('if the response is signed', () => {
    expect(readPosted(signResponse(response(assertion()), key), key)).toEqual(person);
  });

  it('if both are signed', () => {
    expect(readPosted(signResponse(signedAnswer(), key), key)).toEqual(person);
  });

  it('if it is signed with RSA', async () => {
    const rsa = await keyOf('provider', 'rsa');
    expect(readPosted(signAssertion(response(assertion()), rsa), rsa)).toEqual(person);
  });

  it('if any one of the keys in the metadata has signed', () => {
    const provider = {
      entityId: 'https://idp.test/metadata',
      signingCertificates: [other.certificate, key.certificate],
    };
    expect(readPosted(signedAnswer(), key, { provider })).toEqual(person);
  });
});

describe('Each thing that does not hold has its own reason', () => {
  it.each<[string, () => string, string]>([
    ['no signature', () => response(assertion()), 'signature_missing'],
    ['the signature of another provider', () => signAssertion(response(assertion()), other), 'signature_invalid'],
    [
      'a good signature of the response around a bad one of the assertion',
      () => signResponse(signAssertion(response(assertion()), other), key),
      'signature_invalid',
    ],
    [
      'a good signature of the assertion in a response with a bad one',
      () => signResponse(signedAnswer(), other),
      'signature_invalid',
    ],
    ['a changed name', () => signedAnswer().replace('anna<', 'admin<'), 'signature_invalid'],
    [
      'a changed name in a signed response',
      () => signResponse(response(assertion()), key).replace('anna<', 'admin<'),
      'signature_invalid',
    ],
    ['another version', () => signedAnswer().replace('Version="2.0"', 'Version="1.1"'), 'version_unsupported'],
    [
      'another version of the assertion',
      () => signedAnswer({ attributesOfAssertion: PARTS.attributesOfAssertion.replace('2.0', '1.1') }),
      'version_unsupported',
    ],
    ['no assertion', () => response(''), 'assertion_missing'],
    [
      'two assertions',
      () => signedAnswer().replace('</saml:Assertion>', `</saml:Assertion>${assertion()}`),
      'assertion_repeated',
    ],
    [
      'another assertion in the advice',
      () => signedAnswer({ extra: `<saml:Advice>${assertion({ attributesOfAssertion: 'ID="_x"' })}</saml:Advice>` }),
      'assertion_repeated',
    ],
    ['no issuer of the assertion', () => signResponse(response(assertion({ issuer: '' })), key), 'issuer_missing'],
    ['no subject', () => signedAnswer({ subject: ' ' }), 'element_missing'],
    ['no confirmation', () => signedAnswer({ confirmation: '' }), 'confirmation_missing'],
    [
      'a confirmation of another kind',
      () => signedAnswer({ confirmation: PARTS.confirmation.replace('cm:bearer', 'cm:holder-of-key') }),
      'confirmation_missing',
    ],
    [
      'a bearer without data',
      () =>
        signedAnswer({
          confirmation: '<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"/>',
        }),
      'confirmation_missing',
    ],
    [
      'a confirmation without an end',
      () => signedAnswer({ confirmation: PARTS.confirmation.replace(/NotOnOrAfter="[^"]*"/, '') }),
      'confirmation_expired',
    ],
    [
      'a confirmation that has ended',
      () => signedAnswer({ confirmation: PARTS.confirmation.replace(at(300), at(-60)) }),
      'confirmation_expired',
    ],
    [
      'a confirmation that has not begun',
      () =>
        signedAnswer({
          confirmation: PARTS.confirmation.replace('NotOnOrAfter', `NotBefore="${at(61)}" NotOnOrAfter`),
        }),
      'confirmation_early',
    ],
    ['no conditions', () => signedAnswer({ conditions: '' }), 'element_missing'],
    [
      'no end',
      () => signedAnswer({ conditions: PARTS.conditions.replace(/NotOnOrAfter="[^"]*"/, '') }),
      'value_malformed',
    ],
    [
      'an end before',
      () => signedAnswer({ conditions: PARTS.conditions.replace(at(300), at(-60)) }),
      'assertion_expired',
    ],
    [
      'a beginning later',
      () => signedAnswer({ conditions: PARTS.conditions.replace(at(-60), at(61)) }),
      'assertion_early',
    ],
    [
      'no audience',
      () => signedAnswer({ conditions: PARTS.conditions.replace(/<saml:Aud.*<\/saml:AudienceRestriction>/, '') }),
      'audience_missing',
    ],
    [
      'a condition of another kind',
      () =>
        signedAnswer({
          conditions: PARTS.conditions.replace('</saml:Conditions>', '<saml:Condition/></saml:Conditions>'),
        }),
      'condition_unknown',
    ],
    ['nothing about authentication', () => signedAnswer({ authn: '' }), 'authentication_missing'],
    [
      'authentication later than now',
      () => signedAnswer({ authn: PARTS.authn.replace(at(-10), at(61)) }),
      'authentication_in_future',
    ],
    [
      'a session that has ended',
      () =>
        signedAnswer({ authn: PARTS.authn.replace('SessionIndex', `SessionNotOnOrAfter="${at(-61)}" SessionIndex`) }),
      'session_expired',
    ],
    [
      'an assertion that is issued later than now',
      () => signedAnswer({ attributesOfAssertion: PARTS.attributesOfAssertion.replace(at(0), at(61)) }),
      'issued_in_future',
    ],
    [
      'an instant without a zone',
      () => signedAnswer({ authn: PARTS.authn.replace(at(-10), '2026-11-30T11:59:50') }),
      'value_malformed',
    ],
    [
      'a day that there is not',
      () => signedAnswer({ authn: PARTS.authn.replace(at(-10), '2026-02-30T11:59:50Z') }),
      'value_malformed',
    ],
    ['an empty name', () => signedAnswer({ nameId: '<saml:NameID> </saml:NameID>' }), 'value_malformed'],
    ['two names', () => signedAnswer({ nameId: PARTS.nameId + PARTS.nameId }), 'element_repeated'],
  ])('%s', (_, xml, reason) => {
    expect(refused(xml())).toBe(reason);
  });

  it('a request that came in a query is no response to anything', () => {
    const url = toRedirectUrl({ parameter: 'SAMLResponse', id: '_a', destination: RECIPIENT, xml: signedAnswer() });
    expect(reasonOf(() => claimedRequestId(decodeRedirect(url.slice(url.indexOf('?') + 1))))).toBe(
      'binding_unsupported',
    );
  });

  it('a clock that differs by a minute is no reason', () => {
    const conditions = PARTS.conditions.replace(at(300), at(-59)).replace(at(-60), at(-100));
    expect(refused(signedAnswer({ conditions }))).toBe('accepted');
    expect(refused(signedAnswer({ conditions: PARTS.conditions.replace(at(-60), at(60)) }))).toBe('accepted');
  });

  it('one confirmation that holds is enough', () => {
    const confirmation = PARTS.confirmation.replace(RECIPIENT, 'https://other.test/') + PARTS.confirmation;
    expect(refused(signedAnswer({ confirmation }))).toBe('accepted');
  });
});

describe('SML-006: what is for somebody else is refused', () => {
  it.each<[string, () => string, string]>([
    [
      'another audience',
      () => signedAnswer({ conditions: PARTS.conditions.replace('gatehouse.test', 'other.test') }),
      'audience_other',
    ],
    [
      'a second restriction to another audience',
      () =>
        signedAnswer({
          conditions: PARTS.conditions.replace(
            '</saml:Conditions>',
            '<saml:AudienceRestriction><saml:Audience>https://other.test</saml:Audience></saml:AudienceRestriction></saml:Conditions>',
          ),
        }),
      'audience_other',
    ],
    [
      'another audience in another case',
      () => signedAnswer({ conditions: PARTS.conditions.replace('/metadata', '/Metadata') }),
      'audience_other',
    ],
    [
      'another Recipient',
      () => signedAnswer({ confirmation: PARTS.confirmation.replace(RECIPIENT, 'https://other.test/acs') }),
      'recipient_other',
    ],
    [
      'no Recipient',
      () => signedAnswer({ confirmation: PARTS.confirmation.replace(/ Recipient="[^"]*"/, '') }),
      'recipient_other',
    ],
    [
      'another Destination',
      () => signAssertion(response(assertion(), { destination: ' Destination="https://other.test/acs"' }), key),
      'destination_other',
    ],
    [
      'another Destination, signed',
      () => signResponse(response(assertion(), { destination: ' Destination="https://other.test/acs"' }), key),
      'destination_other',
    ],
    [
      'no Destination, signed',
      () => signResponse(response(assertion(), { destination: '' }), key),
      'destination_missing',
    ],
    ['another issuer', () => signedAnswer({ issuer: '<saml:Issuer>https://other.test</saml:Issuer>' }), 'issuer_other'],
    [
      'another issuer of the response',
      () => signAssertion(response(assertion(), { issuer: '<saml:Issuer>https://other.test</saml:Issuer>' }), key),
      'issuer_other',
    ],
    [
      'an issuer of another format',
      () => signedAnswer({ issuer: PARTS.issuer.replace('<saml:Issuer', '<saml:Issuer Format="urn:x"') }),
      'value_malformed',
    ],
  ])('%s', (_, xml, reason) => {
    expect(refused(xml())).toBe(reason);
  });

  it("another provider's turn: the same assertion, where another provider is expected", () => {
    const provider = { entityId: 'https://other.test', signingCertificates: [other.certificate] };
    expect(refused(signedAnswer(), { provider })).toBe('signature_invalid');
    expect(refused(signedAnswer(), { provider: { ...provider, signingCertificates: [key.certificate] } })).toBe(
      'issuer_other',
    );
    expect(refused(signedAnswer(), { provider: { ...provider, signingCertificates: [] } })).toBe('signature_keyless');
  });

  it('a response without Destination and issuer whose assertion is signed is in order', () => {
    expect(refused(signAssertion(response(assertion(), { destination: '', issuer: '' }), key))).toBe('accepted');
  });
});

describe('SML-007: what answers no request of this turn is refused', () => {
  it.each<[string, () => string, string]>([
    ['unsolicited', () => signAssertion(response(assertion(), { inResponseTo: '' }), key), 'response_unsolicited'],
    [
      'unsolicited by the assertion',
      () => signedAnswer({ confirmation: PARTS.confirmation.replace(`InResponseTo="${REQUEST_ID}"`, '') }),
      'response_unsolicited',
    ],
    [
      'the answer to another request',
      () => signAssertion(response(assertion(), { inResponseTo: ' InResponseTo="_other"' }), key),
      'response_of_other_request',
    ],
    [
      "somebody else's assertion in an answer to ours",
      () => signedAnswer({ confirmation: PARTS.confirmation.replace(REQUEST_ID, '_other') }),
      'response_of_other_request',
    ],
  ])('%s', (_, xml, reason) => {
    expect(refused(xml())).toBe(reason);
  });

  it('the request that a response claims to answer is known before anything is verified', () => {
    const message = decodePost({ SAMLResponse: Buffer.from(response('')).toString('base64') });
    expect(claimedRequestId(message)).toBe(REQUEST_ID);
  });
});

describe('SML-008: what is encrypted is refused while encryption is not offered', () => {
  it.each<[string, () => string, string]>([
    ['an encrypted assertion', () => response('<saml:EncryptedAssertion/>'), 'assertion_encrypted'],
    [
      'an encrypted assertion beside a signed one (CVE-2026-2092)',
      () => signedAnswer().replace('<saml:Assertion', '<saml:EncryptedAssertion/><saml:Assertion'),
      'assertion_encrypted',
    ],
    [
      'an encrypted assertion in a signed response',
      () => signResponse(response('<saml:EncryptedAssertion/>'), key),
      'assertion_encrypted',
    ],
    ['an encrypted name', () => signedAnswer({ nameId: '<saml:EncryptedID/>' }), 'identifier_encrypted'],
    [
      'an encrypted name beside another one',
      () => signedAnswer({ nameId: `${PARTS.nameId}<saml:EncryptedID/>` }),
      'identifier_encrypted',
    ],
  ])('%s', (_, xml, reason) => {
    expect(refused(xml())).toBe(reason);
  });
});
