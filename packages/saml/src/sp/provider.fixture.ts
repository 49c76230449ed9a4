import { decodePost } from '../bindings/post.js';
import { signXml } from '../signature/sign-xml.js';
import type { SigningKey } from '../signature/signing-key.js';
import { NS } from '../xml/namespaces.js';
import { type ExpectedResponse, readResponse, type SignedInPerson } from './read-response.js';

export const PROVIDER = 'https://idp.test/metadata';
export const AUDIENCE = 'https://gatehouse.test/saml/v2/metadata';
export const RECIPIENT = 'https://gatehouse.test/ui/login/login/externalidp/saml/acs';
export const REQUEST_ID = '_request';
export const NOW = new Date('2026-11-30T12:00:00Z');
export const ASSERTION_ID = '_assertion';
export const RESPONSE_ID = '_response';

/** So many seconds from now, as SAML writes instants. */
export const at = (seconds: number): string => new Date(NOW.getTime() + seconds * 1000).toISOString();

export const STATUS_SUCCESS =
  '<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>';

/** The parts of an assertion, as a provider in order writes them. */
export const PARTS = {
  issuer: `<saml:Issuer>${PROVIDER}</saml:Issuer>`,
  nameId: '<saml:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent">anna</saml:NameID>',
  confirmation:
    '<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData ' +
    `InResponseTo="${REQUEST_ID}" NotOnOrAfter="${at(300)}" Recipient="${RECIPIENT}"/></saml:SubjectConfirmation>`,
  conditions:
    `<saml:Conditions NotBefore="${at(-60)}" NotOnOrAfter="${at(300)}"><saml:AudienceRestriction>` +
    `<saml:Audience>${AUDIENCE}</saml:Audience></saml:AudienceRestriction></saml:Conditions>`,
  authn:
    `<saml:AuthnStatement AuthnInstant="${at(-10)}" SessionIndex="_session"><saml:AuthnContext>` +
    '<saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport' +
    '</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>',
  attributes:
    '<saml:AttributeStatement><saml:Attribute Name="mail"><saml:AttributeValue>anna@a.test</saml:AttributeValue>' +
    '</saml:Attribute></saml:AttributeStatement>',
  /** In place of all of the subject. */
  subject: '',
  extra: '',
  attributesOfAssertion: `ID="${ASSERTION_ID}" Version="2.0" IssueInstant="${at(0)}"`,
};

export function assertion(parts: Partial<typeof PARTS> = {}): string {
  const { issuer, nameId, confirmation, conditions, authn, attributes, subject, extra, attributesOfAssertion } = {
    ...PARTS,
    ...parts,
  };
  return (
    `<saml:Assertion ${attributesOfAssertion}>${issuer}` +
    `${subject === '' ? `<saml:Subject>${nameId}${confirmation}</saml:Subject>` : subject}` +
    `${conditions}${authn}${attributes}${extra}</saml:Assertion>`
  );
}

export const RESPONSE = {
  attributes: `ID="${RESPONSE_ID}" Version="2.0" IssueInstant="${at(0)}"`,
  destination: ` Destination="${RECIPIENT}"`,
  inResponseTo: ` InResponseTo="${REQUEST_ID}"`,
  issuer: `<saml:Issuer>${PROVIDER}</saml:Issuer>`,
  extensions: '',
  status: STATUS_SUCCESS,
};

export function response(content: string, parts: Partial<typeof RESPONSE> = {}): string {
  const { attributes, destination, inResponseTo, issuer, extensions, status } = { ...RESPONSE, ...parts };
  return (
    `<samlp:Response xmlns:samlp="${NS.protocol}" xmlns:saml="${NS.assertion}" ${attributes}${destination}${inResponseTo}>` +
    `${issuer}${extensions}${status}${content}</samlp:Response>`
  );
}

export function signAssertion(xml: string, key: SigningKey): string {
  return signXml(xml, { id: ASSERTION_ID, hasIssuer: true }, key);
}

export function signResponse(xml: string, key: SigningKey): string {
  return signXml(xml, { id: RESPONSE_ID, hasIssuer: true }, key);
}

/** What the document signs in at us, if it is posted as the answer to our request. */
export function readPosted(xml: string, key: SigningKey, expected: Partial<ExpectedResponse> = {}): SignedInPerson {
  const message = decodePost({ SAMLResponse: Buffer.from(xml).toString('base64') });
  return readResponse(message, {
    provider: { entityId: PROVIDER, signingCertificates: [key.certificate] },
    requestId: REQUEST_ID,
    recipient: RECIPIENT,
    audience: AUDIENCE,
    now: NOW,
    ...expected,
  });
}
