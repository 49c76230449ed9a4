import { beforeAll, describe, expect, it } from '@jest/globals';
import { reasonOf } from '../refusal.fixture.js';
import { keyOf } from '../signature/keys.fixture.js';
import type { SigningKey } from '../signature/signing-key.js';
import { assertion, at, PARTS, readPosted, response, signAssertion } from './provider.fixture.js';
import { type ExpectedResponse, SignInFailed } from './read-response.js';

let key: SigningKey;
beforeAll(async () => {
  key = await keyOf('provider');
});

const signedAnswer = (parts: Partial<typeof PARTS> = {}): string => signAssertion(response(assertion(parts)), key);
const refused = (xml: string, expected: Partial<ExpectedResponse> = {}): string =>
  reasonOf(() => readPosted(xml, key, expected));

describe('A provider that signs in nobody says why', () => {
  const failed = (codes: string): string => `<samlp:Status><samlp:StatusCode Value="${codes}</samlp:Status>`;
  const STATUS = 'urn:oasis:names:tc:SAML:2.0:status:';

  it.each([
    ['Responder', `${STATUS}Responder"/>`, 'Responder', undefined],
    [
      'NoPassive',
      `${STATUS}Responder"><samlp:StatusCode Value="${STATUS}NoPassive"/></samlp:StatusCode>`,
      'Responder',
      'NoPassive',
    ],
    ['what we do not know', 'urn:x"><samlp:StatusCode Value="secret"/></samlp:StatusCode>', 'unknown', 'unknown'],
  ])('%s', (_, codes, level, code) => {
    const xml = response('', { status: failed(codes) });
    const refusal = (() => {
      try {
        return readPosted(xml, key);
      } catch (error) {
        return error;
      }
    })();
    expect(refusal).toBeInstanceOf(SignInFailed);
    expect(refusal).toMatchObject({ reason: 'status_failed', status: { level, code } });
  });

  it('also where an assertion comes along', () => {
    const xml = signAssertion(response(assertion(), { status: failed(`${STATUS}Responder"/>`) }), key);
    expect(refused(xml)).toBe('status_failed');
  });
});

describe('prompt=login and max_age: the person must have proved who they are since then', () => {
  const authn = PARTS.authn.replace(at(-10), at(-600));

  it('who did so before is refused', () => {
    expect(refused(signedAnswer({ authn }), { authenticatedAfter: new Date(at(-300)) })).toBe('authentication_too_old');
  });

  it('who did so within a minute of it is not', () => {
    expect(refused(signedAnswer({ authn }), { authenticatedAfter: new Date(at(-541)) })).toBe('accepted');
  });
});

describe('SML-002: the name is the text of the whole node', () => {
  it.each([
    ['a comment that is added', () => signedAnswer().replace('anna<', 'an<!---->na<'), 'anna'],
    [
      'a comment that the provider has signed around',
      () => signedAnswer({ nameId: PARTS.nameId.replace('anna', 'anna@a.test<!-- -->.evil.test') }),
      'anna@a.test.evil.test',
    ],
    ['a section', () => signedAnswer({ nameId: PARTS.nameId.replace('anna', '<![CDATA[an]]>na') }), 'anna'],
    ['a section that is added', () => signedAnswer().replace('anna<', '<![CDATA[anna]]><'), 'anna'],
    ['references', () => signedAnswer().replace('anna<', '&#97;nn&#x61;<'), 'anna'],
    ['blanks behind it', () => signedAnswer({ nameId: PARTS.nameId.replace('anna', 'anna ') }), 'anna '],
    [
      'xml:space',
      () =>
        signedAnswer({
          nameId: PARTS.nameId.replace('Format', 'xml:space="default" Format').replace('anna', ' anna '),
        }),
      ' anna ',
    ],
  ])('%s', (_, xml, name) => {
    expect(readPosted(xml(), key).nameId?.value).toBe(name);
  });

  it.each<[string, string, string]>([
    ['an entity', 'anna&x;<', 'xml_malformed'],
    ['a processing instruction', 'anna<?x .evil.test?><', 'xml_malformed'],
    ['blanks that are added', 'anna <', 'signature_invalid'],
    ['an element', 'anna<saml:b/><', 'signature_invalid'],
  ])('%s in it is refused', (_, text, reason) => {
    expect(refused(signedAnswer().replace('anna<', text))).toBe(reason);
  });
});
