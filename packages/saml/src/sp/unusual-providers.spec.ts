import { beforeAll, describe, expect, it } from '@jest/globals';
import { reasonOf } from '../refusal.fixture.js';
import { keyOf } from '../signature/keys.fixture.js';
import { craftSignature } from '../signature/signature.fixture.js';
import type { SigningKey } from '../signature/signing-key.js';
import { NS } from '../xml/namespaces.js';
import {
  ASSERTION_ID,
  assertion,
  at,
  PARTS,
  RECIPIENT,
  readPosted,
  response,
  signAssertion,
  signResponse,
} from './provider.fixture.js';

let key: SigningKey;
beforeAll(async () => {
  key = await keyOf('provider');
});

/** Whom the document signs in, or why nobody. */
function outcome(xml: string): string {
  let name = '';
  const reason = reasonOf(() => {
    name = readPosted(xml, key).nameId?.value ?? 'nobody by name';
  });
  return reason === 'accepted' ? name : reason;
}

describe('What a provider in order would not sign is refused, or read as it is written', () => {
  const answer = (parts: Partial<typeof PARTS>): string => signAssertion(response(assertion(parts)), key);
  const recipient = (url: string) => answer({ confirmation: PARTS.confirmation.replace(RECIPIENT, url) });
  const end = (instant: string) => answer({ conditions: PARTS.conditions.replace(at(300), instant) });

  it.each<[string, () => string, string]>([
    ['a Recipient with a slash behind', () => recipient(`${RECIPIENT}/`), 'recipient_other'],
    ['a Recipient with its port', () => recipient(RECIPIENT.replace('.test', '.test:443')), 'recipient_other'],
    ['a Recipient in another case', () => recipient(RECIPIENT.replace('gatehouse', 'Gatehouse')), 'recipient_other'],
    ['a Recipient in percent signs', () => recipient(RECIPIENT.replace('/acs', '/%61cs')), 'recipient_other'],
    ['a Recipient with a query', () => recipient(`${RECIPIENT}?`), 'recipient_other'],
    ['a Recipient with a blank', () => recipient(`${RECIPIENT} `), 'recipient_other'],
    [
      'an answer to several requests',
      () => answer({ confirmation: PARTS.confirmation.replace('_request', '_request _other') }),
      'response_of_other_request',
    ],
    [
      'an audience with more behind a comment',
      () => answer({ conditions: PARTS.conditions.replace('</saml:Audience>', '<!-- -->.evil.test</saml:Audience>') }),
      'audience_other',
    ],
    [
      'an audience in blanks',
      () => answer({ conditions: PARTS.conditions.replace('<saml:Audience>', '<saml:Audience>\n  ') }),
      'anna',
    ],
    [
      'an audience with blanks without end',
      () =>
        answer({ conditions: PARTS.conditions.replace('<saml:Audience>', `<saml:Audience>a${' '.repeat(100_000)}`) }),
      'audience_other',
    ],
    [
      'an empty restriction',
      () => answer({ conditions: PARTS.conditions.replace(/<saml:Audience>.*<\/saml:Audience>/, '') }),
      'audience_other',
    ],
    [
      'conditions that say nothing about us',
      () =>
        answer({
          conditions: PARTS.conditions.replace(
            '</saml:Conditions>',
            '<saml:OneTimeUse/><saml:ProxyRestriction Count="0"/></saml:Conditions>',
          ),
        }),
      'anna',
    ],
    [
      'a condition of another namespace',
      () =>
        answer({
          conditions: PARTS.conditions.replace(
            '</saml:Conditions>',
            '<x:OneTimeUse xmlns:x="urn:x"/></saml:Conditions>',
          ),
        }),
      'condition_unknown',
    ],
    ['conditions twice', () => answer({ conditions: PARTS.conditions.repeat(2) }), 'element_repeated'],
    ['an end in another zone that is past', () => end('2026-11-30T12:05:00+14:00'), 'assertion_expired'],
    ['an end in another zone that is not', () => end('2026-11-30T02:05:00.1234567-10:00'), 'anna'],
    ['an end in the year 10000', () => end('10000-01-01T00:00:00Z'), 'value_malformed'],
    ['an end before all time', () => end('-2026-11-30T12:05:00Z'), 'value_malformed'],
    ['an end at 24 o’clock', () => end('2026-11-30T24:00:00Z'), 'value_malformed'],
    ['an end at a leap second', () => end('2026-12-31T23:59:60Z'), 'value_malformed'],
    ['an end as a number', () => end('1796083500'), 'value_malformed'],
    ['an end on a day', () => end('2026-12-01'), 'value_malformed'],
    ['a name by a base', () => answer({ nameId: '<saml:BaseID/>' }), 'element_unexpected'],
    [
      'a name in the confirmation alone',
      () =>
        answer({
          nameId: '',
          confirmation: PARTS.confirmation.replace(
            '<saml:SubjectConfirmationData',
            `${PARTS.nameId}<saml:SubjectConfirmationData`,
          ),
        }),
      'nobody by name',
    ],
    [
      'a statement in the advice alone',
      () => answer({ authn: '', extra: `<saml:Advice>${PARTS.authn}</saml:Advice>` }),
      'authentication_missing',
    ],
    ['two subjects', () => answer({ extra: `<saml:Subject>${PARTS.nameId}</saml:Subject>` }), 'element_repeated'],
    ['two issuers', () => answer({ extra: PARTS.issuer }), 'element_repeated'],
    [
      'an issuer of two words',
      () => answer({ issuer: PARTS.issuer.replace('</', ' https://other.test</') }),
      'issuer_other',
    ],
    ['a long issuer', () => answer({ issuer: PARTS.issuer.replace('</', `${'a'.repeat(1024)}</`) }), 'value_malformed'],
  ])('%s', (_, xml, expected) => {
    expect(outcome(xml())).toBe(expected);
  });
});

describe('What providers in order write in their own ways is read', () => {
  const unprefixed = (xml: string): string => xml.replaceAll('<saml:', '<').replaceAll('</saml:', '</');

  it('as Entra does: default namespaces, and a signature without a prefix', () => {
    const inside = unprefixed(assertion()).replace('<Assertion ', `<Assertion xmlns="${NS.assertion}" `);
    const xml = response('')
      .replace(/<saml:Issuer>/, `<Issuer xmlns="${NS.assertion}">`)
      .replace('</saml:Issuer>', '</Issuer>')
      .replace(` xmlns:saml="${NS.assertion}"`, '')
      .replace('</samlp:Response>', `${inside}</samlp:Response>`);
    expect(outcome(craftSignature(xml, { id: ASSERTION_ID, prefix: '' }, key.privateKey))).toBe('anna');
  });

  it('as AD FS does: the assertion and the response with namespaces of their own, and lists of prefixes', () => {
    const xml = response(
      assertion().replace('<saml:Assertion ', `<saml:Assertion xmlns:saml="${NS.assertion}" xmlns:xs="urn:xs" `),
    );
    const inner = craftSignature(xml, { id: ASSERTION_ID }, key.privateKey);
    expect(outcome(signResponse(inner, key))).toBe('anna');
  });

  it('in lines with blanks between all elements', () => {
    const xml = response(assertion()).replace(/></g, '>\n  <');
    expect(outcome(signAssertion(xml, key))).toBe('anna');
    expect(outcome(signResponse(xml, key))).toBe('anna');
  });
});
