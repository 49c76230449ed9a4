import { beforeAll, describe, expect, it } from '@jest/globals';
import { decodePost, toPostForm } from '../bindings/post.js';
import { decodeRedirect, toRedirectUrl } from '../bindings/redirect.js';
import { type AuthnRequestResult, readAuthnRequest } from '../idp/authn-request.js';
import { SERVICE_PROVIDER } from '../idp/requests.fixture.js';
import { AUTHN_CONTEXT, NAME_ID_FORMAT } from '../protocol/uris.js';
import { keyOf } from '../signature/keys.fixture.js';
import type { SigningKey } from '../signature/signing-key.js';
import { type NewAuthnRequest, writeAuthnRequest } from './write-authn-request.js';

const NOW = new Date('2026-11-30T12:00:00Z');
const REQUEST: NewAuthnRequest = {
  issuer: 'https://sp.test',
  destination: 'https://idp.test/SSO?tenant=1&x=<y>',
  assertionConsumerUrl: 'https://sp.test/acs',
  now: NOW,
};

let key: SigningKey;
beforeAll(async () => {
  key = await keyOf('us');
});

/** What an identity provider makes of it. */
function readBy(
  binding: 'redirect' | 'post',
  isSigned: boolean,
  request: Partial<NewAuthnRequest> = {},
): AuthnRequestResult {
  const outgoing = writeAuthnRequest({ ...REQUEST, ...request });
  const options = isSigned ? { key } : {};
  const url = toRedirectUrl(outgoing, options);
  const message =
    binding === 'post'
      ? decodePost(toPostForm(outgoing, options).fields)
      : decodeRedirect(url.slice(url.indexOf('?') + 1));
  const serviceProvider = {
    ...SERVICE_PROVIDER,
    authnRequestsSigned: isSigned,
    signingCertificates: [key.certificate],
  };
  return readAuthnRequest(message, { serviceProvider, destination: REQUEST.destination });
}

describe('A request of ours', () => {
  it.each([
    ['redirect', true],
    ['redirect', false],
    ['post', true],
    ['post', false],
  ] as const)('by %s, signed: %s, is read as it was meant', (binding, isSigned) => {
    expect(readBy(binding, isSigned)).toEqual({
      kind: 'accepted',
      request: {
        answer: {
          url: 'https://sp.test/acs',
          serviceProvider: 'https://sp.test',
          requestId: expect.stringMatching(/^_[0-9a-f]{40}$/),
        },
        forceAuthn: false,
        isPassive: false,
        nameId: { format: undefined, allowCreate: true },
        authnContext: undefined,
        subject: undefined,
      },
    });
  });

  it('says what it asks for', () => {
    const subject = {
      value: 'anna@a.test',
      format: NAME_ID_FORMAT.emailAddress,
      nameQualifier: undefined,
      spNameQualifier: undefined,
    };
    const demands = {
      forceAuthn: true,
      isPassive: true,
      nameIdFormat: NAME_ID_FORMAT.persistent,
      authnContexts: [AUTHN_CONTEXT.refedsMfa],
      subject,
    };
    expect(readBy('redirect', false, demands)).toMatchObject({
      request: {
        forceAuthn: true,
        isPassive: true,
        nameId: { format: 'persistent' },
        authnContext: { level: 2 },
        subject,
      },
    });
  });

  it('goes to an address that has a query already', () => {
    expect(toRedirectUrl(writeAuthnRequest(REQUEST))).toMatch(/^https:\/\/idp\.test\/SSO\?tenant=1&x=<y>&SAMLRequest=/);
  });

  it('has an ID by which the turn is found again', () => {
    const outgoing = writeAuthnRequest(REQUEST);
    expect(outgoing.xml).toContain(` ID="${outgoing.id}"`);
    expect(writeAuthnRequest(REQUEST).id).not.toBe(outgoing.id);
  });
});
