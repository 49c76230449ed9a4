import { beforeAll, describe, expect, it } from '@jest/globals';
import { decodePost, toPostForm } from '../bindings/post.js';
import { isSameNameId } from '../protocol/name-id.js';
import { readStatus } from '../protocol/status.js';
import { AUTHN_CONTEXT, NAME_ID_FORMAT } from '../protocol/uris.js';
import { keyOf } from '../signature/keys.fixture.js';
import { readSigned } from '../signature/read-signed.js';
import type { SigningKey } from '../signature/signing-key.js';
import { readResponse, type SignedInPerson } from '../sp/read-response.js';
import { NS } from '../xml/namespaces.js';
import { asReadBack, randomTexts } from '../xml/random-text.fixture.js';
import { readXml } from '../xml/read-xml.js';
import { FAILURES, type Failure } from './answer.js';
import { knownAttribute, namedAttribute } from './attribute-names.js';
import { type SignInStatement, writeFailure, writeResponse } from './write-response.js';

const NOW = new Date('2026-11-30T12:00:00.000Z');
const ISSUER = 'https://gatehouse.test/saml/v2/metadata';
const ANSWER = { url: 'https://sp.test/acs', serviceProvider: 'https://sp.test', requestId: '_request' };
const STATEMENT: SignInStatement = {
  issuer: ISSUER,
  answer: ANSWER,
  nameId: {
    value: 'g9Yk',
    format: NAME_ID_FORMAT.persistent,
    nameQualifier: ISSUER,
    spNameQualifier: 'https://sp.test',
  },
  authnInstant: new Date('2026-11-30T11:58:00.000Z'),
  authnContext: AUTHN_CONTEXT.refedsMfa,
  sessionIndex: '1234',
  sessionNotOnOrAfter: new Date('2026-11-30T20:00:00.000Z'),
  attributes: [
    knownAttribute('mail', ['anna@a.test']),
    namedAttribute('roles', ['a', 'b']),
    namedAttribute('nothing', []),
  ],
  now: NOW,
};

let key: SigningKey;
beforeAll(async () => {
  key = await keyOf('identity provider');
});

function readBack(statement: Partial<SignInStatement> = {}): SignedInPerson {
  const message = decodePost(toPostForm(writeResponse({ ...STATEMENT, ...statement }, key)).fields);
  return readResponse(message, {
    provider: { entityId: ISSUER, signingCertificates: [key.certificate] },
    requestId: '_request',
    recipient: ANSWER.url,
    audience: ANSWER.serviceProvider,
    now: NOW,
  });
}

describe('A response of ours', () => {
  it('is read by a service provider as it was meant', () => {
    expect(readBack()).toEqual({
      assertionId: expect.stringMatching(/^_[0-9a-f]{40}$/),
      nameId: STATEMENT.nameId,
      authnInstant: STATEMENT.authnInstant,
      authnContext: STATEMENT.authnContext,
      sessionIndex: '1234',
      sessionNotOnOrAfter: STATEMENT.sessionNotOnOrAfter,
      attributes: [
        {
          name: 'urn:oid:0.9.2342.19200300.100.1.3',
          nameFormat: 'urn:oasis:names:tc:SAML:2.0:attrname-format:uri',
          friendlyName: 'mail',
          values: ['anna@a.test'],
        },
        {
          name: 'roles',
          nameFormat: 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic',
          friendlyName: undefined,
          values: ['a', 'b'],
        },
      ],
    });
  });

  it('is signed, and so is its assertion', () => {
    const { xml } = writeResponse(STATEMENT, key);
    const root = readXml(Buffer.from(xml));
    const keys = [key.certificate.publicKey];
    expect(readSigned(root, keys).name).toBe('Response');
    expect(readSigned(root.required(NS.assertion, 'Assertion'), keys).name).toBe('Assertion');
  });

  it('is for one address, one audience, one request, and five minutes', () => {
    const { xml, destination } = writeResponse(STATEMENT, key);
    const root = readXml(Buffer.from(xml));
    const assertion = root.required(NS.assertion, 'Assertion');
    const data = assertion
      .required(NS.assertion, 'Subject')
      .required(NS.assertion, 'SubjectConfirmation')
      .required(NS.assertion, 'SubjectConfirmationData');
    const conditions = assertion.required(NS.assertion, 'Conditions');
    const end = '2026-11-30T12:05:00.000Z';
    expect(destination).toBe(ANSWER.url);
    expect([root.attribute('Destination'), root.attribute('InResponseTo')]).toEqual([ANSWER.url, '_request']);
    expect([data.attribute('Recipient'), data.attribute('InResponseTo')]).toEqual([ANSWER.url, '_request']);
    expect([data.attribute('NotOnOrAfter'), data.attribute('NotBefore')]).toEqual([end, undefined]);
    expect([conditions.attribute('NotBefore'), conditions.attribute('NotOnOrAfter')]).toEqual([
      '2026-11-30T11:59:00.000Z',
      end,
    ]);
    expect(conditions.required(NS.assertion, 'AudienceRestriction').children.map(({ text }) => text)).toEqual([
      'https://sp.test',
    ]);
  });

  it('answers no request if there was none', () => {
    const { xml } = writeResponse({ ...STATEMENT, answer: { ...ANSWER, requestId: undefined } }, key);
    expect(xml).not.toContain('InResponseTo');
  });

  it('has no statement of attributes if there are none', () => {
    expect(writeResponse({ ...STATEMENT, attributes: [namedAttribute('a', [])] }, key).xml).not.toContain('Attribute');
  });

  it('has IDs that nobody guesses and that come once', () => {
    const ids = Array.from(
      { length: 20 },
      () => writeFailure({ issuer: ISSUER, answer: ANSWER, now: NOW }, 'requester').id,
    );
    expect(new Set(ids).size).toBe(20);
  });
});

describe('SML-014: values of attributes and names reach a service provider as they are', () => {
  it.each([
    ['markup', '</saml:AttributeValue><saml:AttributeValue>admin'],
    ['an ampersand', 'R&D &amp; more'],
    ['a carriage return', 'a\rb\r\nc'],
    ['blanks', '  a\t\n '],
    ['the end of a section', ']]>'],
    ['a comment', '<!-- -->'],
    ['other scripts', 'ß漢😀'],
  ])('%s', (_, value) => {
    const nameId = { ...STATEMENT.nameId, value, spNameQualifier: value };
    const person = readBack({ nameId, sessionIndex: value, attributes: [namedAttribute(value, [value, value])] });
    expect(person.nameId).toEqual(nameId);
    expect(person.sessionIndex).toBe(value);
    expect(person.attributes).toMatchObject([{ name: value, values: [value, value] }]);
  });

  it('any text at all, with illegal characters left out', () => {
    const texts = [...randomTexts(300, 41)];
    const attributes = texts.map((text, index) => namedAttribute(`a${index}`, [text, 'end']));
    const received = readBack({ attributes }).attributes.map(({ values }) => values);
    expect(received).toEqual(texts.map((text) => [asReadBack(text), 'end']));
  });
});

describe('SML-015: a response by which nobody is signed in', () => {
  it.each<[Failure, string, string | undefined]>([
    ['noPassive', 'Responder', 'NoPassive'],
    ['noAuthnContext', 'Responder', 'NoAuthnContext'],
    ['authnFailed', 'Responder', 'AuthnFailed'],
    ['requestDenied', 'Responder', 'RequestDenied'],
    ['unknownPrincipal', 'Responder', 'UnknownPrincipal'],
    ['invalidNameIdPolicy', 'Requester', 'InvalidNameIDPolicy'],
    ['requestUnsupported', 'Requester', 'RequestUnsupported'],
    ['requester', 'Requester', undefined],
  ])('%s', (failure, level, code) => {
    const { xml } = writeFailure({ issuer: ISSUER, answer: ANSWER, now: NOW }, failure);
    const root = readXml(Buffer.from(xml));
    expect(readStatus(root)).toEqual({ level, code });
    expect(root.attribute('InResponseTo')).toBe('_request');
    expect([...root.tree()].map(({ name }) => name)).not.toContain('Assertion');
    expect(xml).not.toContain('Signature');
    expect(Object.keys(FAILURES)).toContain(failure);
  });

  it('is signed if there is a key', () => {
    const { xml } = writeFailure({ issuer: ISSUER, answer: ANSWER, now: NOW }, 'authnFailed', key);
    expect(readSigned(readXml(Buffer.from(xml)), [key.certificate.publicKey]).name).toBe('Response');
  });
});

it('A name is the same if all of it is, with the two parties where it says nothing (SAML Core §3.3.4)', () => {
  const parties = { identityProvider: ISSUER, serviceProvider: 'https://sp.test' };
  const { nameId } = STATEMENT;
  const bare = { ...nameId, nameQualifier: undefined, spNameQualifier: undefined };
  expect(isSameNameId(nameId, bare, parties)).toBe(true);
  expect(isSameNameId(bare, nameId, parties)).toBe(true);
  for (const other of [
    { ...nameId, value: 'g9yk' },
    { ...nameId, value: 'g9Yk ' },
    { ...nameId, format: NAME_ID_FORMAT.transient },
    { ...nameId, nameQualifier: 'https://other.test' },
    { ...nameId, spNameQualifier: 'https://other.test' },
  ]) {
    expect(isSameNameId(other, bare, parties)).toBe(false);
  }
});
