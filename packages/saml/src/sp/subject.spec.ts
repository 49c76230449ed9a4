import { describe, expect, it } from '@jest/globals';
import { NAME_ID_FORMAT } from '../protocol/uris.js';
import { reasonOf } from '../refusal.fixture.js';
import { NS } from '../xml/namespaces.js';
import { readXml } from '../xml/read-xml.js';
import { type ReceivedAttribute, readAttributes } from './attributes.js';
import { type SubjectRules, subjectOf } from './subject.js';

const attribute = (name: string, ...values: string[]): ReceivedAttribute => ({
  name,
  nameFormat: 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic',
  friendlyName: undefined,
  values,
});

function subject(format: string | undefined, rules: SubjectRules, attributes: ReceivedAttribute[] = []): string {
  const nameId =
    format === undefined
      ? undefined
      : { value: ' Anna ', format, nameQualifier: undefined, spNameQualifier: undefined };
  const authnInstant = new Date('2026-11-30T12:00:00Z');
  const person = { assertionId: '_a', authnInstant, authnContext: undefined, sessionIndex: undefined };
  return subjectOf({ ...person, sessionNotOnOrAfter: undefined, nameId, attributes }, rules);
}

describe('Who it is', () => {
  it('says a persistent name, exactly as it is written', () => {
    expect(subject(NAME_ID_FORMAT.persistent, {})).toBe(' Anna ');
  });

  it.each([
    ['an address of mail', NAME_ID_FORMAT.emailAddress],
    ['a name of no format', NAME_ID_FORMAT.unspecified],
    ['a name of another format', 'urn:x'],
  ])('says %s only if the administrator wants it so', (_, format) => {
    expect(reasonOf(() => subject(format, {}))).toBe('subject_format');
    expect(subject(format, { otherFormats: [format] })).toBe(' Anna ');
  });

  const rules = { transientMappingAttributeName: 'uid' };

  it.each([
    ['a name that changes with each sign-in', NAME_ID_FORMAT.transient],
    ['no name', undefined],
  ])('says an attribute where there is %s', (_, format) => {
    expect(subject(format, rules, [attribute('mail', 'a'), attribute('uid', 'anna')])).toBe('anna');
    expect(reasonOf(() => subject(format, rules, [attribute('UID', 'anna')]))).toBe('subject_missing');
    expect(reasonOf(() => subject(format, rules, [attribute('uid', ' ')]))).toBe('subject_missing');
    expect(reasonOf(() => subject(format, rules, [attribute('uid', 'anna', 'admin')]))).toBe('subject_ambiguous');
  });

  it('is not known without either', () => {
    expect(reasonOf(() => subject(NAME_ID_FORMAT.transient, {}))).toBe('subject_transient');
    expect(reasonOf(() => subject(undefined, {}))).toBe('subject_missing');
  });

  it('says an attribute only in place of a name, never beside a lasting one', () => {
    expect(subject(NAME_ID_FORMAT.persistent, rules, [attribute('uid', 'admin')])).toBe(' Anna ');
  });
});

describe('Attributes', () => {
  const read = (content: string): ReceivedAttribute[] =>
    readAttributes(
      readXml(
        Buffer.from(
          `<saml:Assertion xmlns:saml="${NS.assertion}" xmlns:xsi="${NS.instance}">${content}</saml:Assertion>`,
        ),
      ),
    );
  const statement = (content: string): string => `<saml:AttributeStatement>${content}</saml:AttributeStatement>`;
  const values = (...texts: string[]): string =>
    texts.map((text) => `<saml:AttributeValue xsi:type="x">${text}</saml:AttributeValue>`).join('');

  it('of several statements and parts are put together by name and format', () => {
    const one = `<saml:Attribute Name="a" NameFormat="urn:x" FriendlyName="A">${values('1')}</saml:Attribute>`;
    const other = `<saml:Attribute Name="a">${values('3')}</saml:Attribute>`;
    expect(read(statement(one + other) + statement(one.replace('1', '2')))).toEqual([
      { name: 'a', nameFormat: 'urn:x', friendlyName: 'A', values: ['1', '2'] },
      {
        name: 'a',
        nameFormat: 'urn:oasis:names:tc:SAML:2.0:attrname-format:unspecified',
        friendlyName: undefined,
        values: ['3'],
      },
    ]);
  });

  it('have values that are texts, or names as eduPersonTargetedID has', () => {
    const nil = '<saml:AttributeValue xsi:nil="true"/>';
    const mixed = values('a<!-- -->b', '<saml:NameID>c</saml:NameID>', '<x/>', '', ' d ') + nil;
    expect(read(statement(`<saml:Attribute Name="a">${mixed}</saml:Attribute>`))[0]?.values).toEqual([
      'ab',
      'c',
      '',
      ' d ',
    ]);
  });

  it('that are encrypted are passed over, and those without a name refused', () => {
    expect(read(statement('<saml:EncryptedAttribute/>'))).toEqual([]);
    expect(reasonOf(() => read(statement('<saml:Attribute/>')))).toBe('value_malformed');
  });
});
