import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

/*
 * The modules of the plans that the OpenID Foundation's suite runs, by its plan classes of August 2026 (after release
 * 5.2.3), and the files of ours that stand for them. With static clients where a plan lets one choose; FAPI 2.0 as
 * plain FAPI, OpenID Connect, unsigned requests. Modules of national profiles are left out. So are plans of what is not
 * offered: front-channel logout, session management, third-party-initiated login and the hybrid flow.
 */
const PLANS: ReadonlyArray<{ plan: string; files: readonly string[]; prefix: string; modules: string }> = [
  {
    plan: 'oidcc-formpost-basic-certification-test-plan',
    files: ['formpost-basic.deep-spec.ts', 'basic-modules.ts', 'common-modules.ts', 'userinfo-modules.ts'],
    prefix: 'oidcc-',
    modules: `
      server
      response-type-missing
      userinfo-get
      userinfo-post-header
      userinfo-post-body
      ensure-request-without-nonce-succeeds-for-code-flow
      scope-profile
      scope-email
      scope-address
      scope-phone
      scope-all
      alternate-happy-flow
      display-page
      display-popup
      prompt-login
      prompt-none-not-logged-in
      prompt-none-logged-in
      max-age-1
      max-age-10000
      ensure-request-with-unknown-parameter-succeeds
      id-token-hint
      login-hint
      ui-locales
      claims-locales
      ensure-request-with-acr-values-succeeds
      codereuse
      codereuse-30seconds
      ensure-registered-redirect-uri
      ensure-post-request-succeeds
      server-client-secret-post
      unsigned-request-object-supported-correctly-or-rejected-as-unsupported
      claims-essential
      ensure-request-object-with-redirect-uri
      refresh-token
      ensure-request-with-valid-pkce-succeeds
    `,
  },
  {
    plan: 'oidcc-formpost-implicit-certification-test-plan',
    files: ['formpost-implicit.deep-spec.ts', 'implicit-modules.ts', 'common-modules.ts', 'userinfo-modules.ts'],
    prefix: 'oidcc-',
    modules: `
      server
      ensure-request-without-nonce-fails
      scope-profile
      scope-email
      scope-address
      scope-phone
      scope-all
      alternate-happy-flow
      display-page
      display-popup
      prompt-login
      prompt-none-not-logged-in
      prompt-none-logged-in
      max-age-1
      max-age-10000
      ensure-request-with-unknown-parameter-succeeds
      id-token-hint
      login-hint
      ui-locales
      claims-locales
      ensure-request-with-acr-values-succeeds
      ensure-registered-redirect-uri
      unsigned-request-object-supported-correctly-or-rejected-as-unsupported
      ensure-request-object-with-redirect-uri
      claims-essential
      userinfo-get
      userinfo-post-header
      userinfo-post-body
      response-type-missing
    `,
  },
  {
    plan: 'oidcc-dynamic-certification-test-plan',
    files: ['dynamic.deep-spec.ts', 'common-modules.ts'],
    prefix: 'oidcc-',
    modules: `
      idtoken-rs256
      idtoken-unsigned
      userinfo-rs256
      ensure-redirect-uri-in-authorization-request
      redirect-uri-query-OK
      redirect-uri-query-mismatch
      redirect-uri-query-added
      redirect-uri-regfrag
      discovery-endpoint-verification
      server
      registration-logo-uri
      registration-policy-uri
      registration-tos-uri
      registration-jwks-uri
      registration-sector-uri
      registration-sector-bad
      server-rotate-keys
      refresh-token-rp-key-rotation
      request-uri-unsigned
      request-uri-signed-rs256
      ensure-request-object-with-redirect-uri
      refresh-token
      ensure-client-assertion-with-iss-aud-succeeds
    `,
  },
  {
    plan: 'oidcc-backchannel-rp-initiated-logout-certification-test-plan',
    files: ['back-channel-logout.deep-spec.ts'],
    prefix: 'oidcc-',
    modules: `
      backchannel-logout-discovery-endpoint-verification
      backchannel-rp-initiated-logout
    `,
  },
  {
    plan: 'oidcc-rp-initiated-logout-certification-test-plan',
    files: ['rp-initiated-logout.deep-spec.ts'],
    prefix: 'oidcc-',
    modules: `
      rp-initiated-logout-discovery-endpoint-verification
      rp-initiated-logout
      rp-initiated-logout-bad-post-logout-redirect-uri
      rp-initiated-logout-modified-id-token-hint
      rp-initiated-logout-no-id-token-hint
      rp-initiated-logout-no-params
      rp-initiated-logout-no-post-logout-redirect-uri
      rp-initiated-logout-no-state
      rp-initiated-logout-only-state
      rp-initiated-logout-query-added-to-post-logout-redirect-uri
      rp-initiated-logout-bad-id-token-hint
    `,
  },
  {
    plan: 'fapi2-security-profile-final-test-plan',
    files: ['fapi2.deep-spec.ts'],
    prefix: '',
    modules: `
      discovery-end-point-verification
      happy-flow
      user-rejects-authentication
      ensure-authorization-request-without-state-success
      ensure-authorization-request-without-nonce-success
      ensure-authorization-request-with-64-char-nonce-success
      ensure-other-scope-order-succeeds
      test-claims-parameter-identity-claims
      access-token-type-header-case-sensitivity
      check-dpop-proof-nbf-exp
      ensure-dpopproof-with-iat-10seconds-before-succeeds
      ensure-dpopproof-with-iat-10seconds-after-succeeds
      ensure-mismatched-dpop-jkt-fails
      ensure-token-endpoint-fails-with-mismatched-dpop-proof-jkt
      ensure-token-endpoint-fails-with-mismatched-dpop-jkt
      ensure-dpopproof-at-par-endpoint-binding-success
      ensure-dpop-auth-code-binding-success
      ensure-different-nonce-inside-and-outside-request-object
      ensure-different-state-inside-and-outside-request-object
      ensure-authorization-request-with-long-nonce
      ensure-authorization-request-with-long-state
      state-only-outside-request-object-not-used
      ensure-request-object-without-redirect-uri-fails
      plain-fapi-tolerate-unregistered-redirect-uri
      ensure-unsigned-authorization-request-without-using-par-fails
      ensure-redirect-uri-in-authorization-request
      ensure-response-type-code-idtoken-fails
      ensure-response-type-token-fails
      ensure-client-id-in-token-endpoint
      ensure-holder-of-key-required
      ensure-authorization-code-is-bound-to-client
      attempt-reuse-authorization-code-after-one-second
      ensure-token-endpoint-fails-with-expired-auth-code
      ensure-signed-client-assertion-with-RS256-fails
      ensure-client-assertion-in-token-endpoint
      ensure-client-assertion-with-exp-is-5-minutes-in-past-fails
      ensure-client-assertion-with-wrong-aud-fails
      ensure-client-assertion-with-no-sub-fails
      dpop-negative-tests
      refresh-token
      par-ensure-reused-request-uri-prior-to-auth-completion-succeeds
      par-attempt-reuse-request_uri
      par-attempt-to-use-expired-request_uri
      par-ensure-jwt-client-assertions-nbf-8-seconds-in-the-future-is-accepted
      par-ensure-jwt-client-assertions-nbf-over-60-seconds-in-the-future-fails
      par-attempt-to-use-request_uri-for-different-client
      par-authorization-request-containing-request_uri-form-param
      par-attempt-invalid-http-method
      par-ensure-pkce-required
      ensure-pkce-code-verifier-required
      incorrect-pkce-code-verifier-rejected
      par-plain-pkce-rejected
      par-without-duplicate-parameters
      par-test-array-as-audience-fails
      par-test-par-endpoint-url-as-audience-fails
      par-test-token-endpoint-url-as-audience-fails
    `,
  },
  {
    plan: 'fapi2-security-profile-final-test-plan with mtls: what differs with certificates',
    files: ['fapi2-certificates.deep-spec.ts'],
    prefix: '',
    modules: `
      discovery-end-point-verification
      happy-flow
      access-token-type-header-case-sensitivity
      ensure-client-id-in-token-endpoint
      ensure-holder-of-key-required
      ensure-authorization-code-is-bound-to-client
      attempt-reuse-authorization-code-after-one-second
      refresh-token
    `,
  },
];

/** The titles of tests, and the names that comments give to parts of one. */
function textOf(files: readonly string[]): string {
  return files.map((file) => readFileSync(`${import.meta.dirname}/${file}`, 'utf8')).join('\n');
}

describe('The plans of the conformance suite', () => {
  it.each(PLANS)('$plan: each module has a test that names it', ({ files, prefix, modules }) => {
    const names = modules.trim().split(/\s+/);
    const text = textOf(files);
    const missing = names.filter((name) => !new RegExp(`(?<![\\w-])${prefix}${name}(?![\\w-])`).test(text));
    expect([names.length > 0, missing]).toEqual([true, []]);
  });
});
