import { beforeAll, describe, expect, it } from '@jest/globals';
import { reasonOf } from '../refusal.fixture.js';
import { keyOf } from '../signature/keys.fixture.js';
import type { SigningKey } from '../signature/signing-key.js';
import {
  ASSERTION_ID,
  assertion,
  PARTS,
  readPosted,
  response,
  signAssertion,
  signResponse,
} from './provider.fixture.js';
import { PLACES, type Place, signatureIn, WRAPPINGS } from './wrapping.fixture.js';

let key: SigningKey;
beforeAll(async () => {
  key = await keyOf('provider');
});

const places = Object.keys(PLACES) as Place[];

describe.each(Object.keys(WRAPPINGS))('SML-001: %s is refused', (name) => {
  const isOfResponse = name === 'XSW1' || name === 'XSW2';

  it.each(places)('with the forged assertion %s', (place) => {
    const document = isOfResponse
      ? signResponse(response(assertion()), key)
      : signAssertion(response(assertion()), key);
    expect(readPosted(document, key).nameId?.value).toBe('anna');
    const wrapped = WRAPPINGS[name]!({ document, signature: signatureIn(document) }, place);
    expect(wrapped).toContain('>admin<');
    expect(reasonOf(() => readPosted(wrapped, key))).toMatch(/^(?:assertion|signature|id)_/);
  });
});

/*
 * Every place for the signature and for what it covers, with each of three IDs for the forged assertion: the person is
 * never the forged one, whichever of all these somebody tries.
 */
describe('SML-001: no arrangement of a signed assertion signs in somebody else', () => {
  const forgedOf = (id: string, content: string, signature: string): string =>
    assertion({
      nameId: PARTS.nameId.replace('anna', 'admin'),
      attributesOfAssertion: PARTS.attributesOfAssertion.replace(`ID="${ASSERTION_ID}"`, id),
      issuer: PARTS.issuer + signature,
      extra: content,
    });
  const hidden: Array<[string, (original: string) => string]> = [
    ['in Advice', (original) => `<saml:Advice>${original}</saml:Advice>`],
    [
      'in an attribute',
      (original) =>
        `<saml:AttributeStatement><saml:Attribute Name="a"><saml:AttributeValue>${original}</saml:AttributeValue></saml:Attribute></saml:AttributeStatement>`,
    ],
    ['in a comment', (original) => `<!--${original}-->`],
    ['in a section', (original) => `<saml:Advice><![CDATA[${original}]]></saml:Advice>`],
    ['in another namespace', (original) => `<x:Advice xmlns:x="urn:x">${original}</x:Advice>`],
  ];
  const ids = ['ID="_forged"', `ID="${ASSERTION_ID}"`, `Id="${ASSERTION_ID}"`, ''];
  const cases = hidden.flatMap(([where, hide]) =>
    ids.flatMap((id) => [true, false].map((isMoved) => ({ where, hide, id, isMoved }))),
  );

  it.each(cases)('$where, forged $id, signature moved: $isMoved', ({ hide, id, isMoved }) => {
    const document = signAssertion(response(assertion()), key);
    const signature = signatureIn(document);
    const original = /<saml:Assertion.*<\/saml:Assertion>/s.exec(document)![0];
    const kept = isMoved ? original.replace(signature, '') : original;
    const forged = forgedOf(id, hide(kept), isMoved ? signature : '');
    expect(reasonOf(() => readPosted(document.replace(original, forged), key))).not.toBe('accepted');
  });
});
