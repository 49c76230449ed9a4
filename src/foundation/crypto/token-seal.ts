import type { MasterKeys } from './master-key.js';
import { open, seal, sealDeterministically } from './seal.js';

/**
 * Each kind has its own key and prefix, and is bound into the envelope: no kind passes as another. By the prefix,
 * scanners for leaked secrets tell what they have found; `gtp_` and `gti_` are those of tokens that are not sealed.
 */
const PREFIX = {
  access: 'gta_',
  refresh: 'gtr_',
  code: 'gtc_',
  /** A device code (RFC 8628 §3.2). */
  device: 'gtd_',
  /** The browser on its way to an identity provider that returns a JWT. */
  agent: 'gtb_',
  /** Recovery codes, in the form with which their owner confirms having saved them. */
  recovery: 'gtk_',
  /** An authorization request, as the login pages carry it. */
  request: 'gtq_',
  /** A pushed authorization request (RFC 9126 §2.2). */
  pushed: 'gtu_',
  /** The token with which an application changes its registration (RFC 7592 §3). */
  registration: 'gtn_',
  /** A form of the account pages, while its user proves who they are. */
  draft: 'gtf_',
  /** The contents of an ID token as a hint, where the token itself would not fit. */
  hint: 'gth_',
  /** What the form of an identity provider's answer brought, while the browser is redirected. */
  brought: 'gts_',
} as const;

export type TokenKind = keyof typeof PREFIX;

/** Longer than any of our tokens; longer texts are refused before any work is done. */
const MAX_TOKEN_LENGTH = 16_384;
/** Requests travel in forms only, and contain what an application has sent. */
const MAX_REQUEST_LENGTH = 57_344;
const KEY_ID_LENGTH = 6;
const BASE64URL = /^[A-Za-z0-9_-]+$/;

/** Sealed tokens: prefix, key id, envelope; opaque to everyone but us. */
export class TokenSeal {
  constructor(private readonly masterKeys: MasterKeys) {}

  seal(kind: TokenKind, payload: Buffer): string {
    const key = this.masterKeys.current(kind);
    return PREFIX[kind] + key.id + seal(key.key, payload, kind).toString('base64url');
  }

  /** Deterministic: the same payload gives the same token. */
  sealDeterministically(kind: TokenKind, payload: Buffer): string {
    const key = this.masterKeys.current(kind);
    return PREFIX[kind] + key.id + sealDeterministically(key.key, payload, kind).toString('base64url');
  }

  /** The payload, or undefined for anything that this service did not seal as this kind. */
  open(kind: TokenKind, token: string): Buffer | undefined {
    const longest = kind === 'request' ? MAX_REQUEST_LENGTH : MAX_TOKEN_LENGTH;
    if (token.length > longest || !token.startsWith(PREFIX[kind])) return undefined;
    const keyId = token.slice(PREFIX[kind].length, PREFIX[kind].length + KEY_ID_LENGTH);
    const encoded = token.slice(PREFIX[kind].length + KEY_ID_LENGTH);
    const key = this.masterKeys.find(kind, keyId);
    if (!key || !BASE64URL.test(encoded)) return undefined;
    const envelope = Buffer.from(encoded, 'base64url');
    // Several texts decode to the same bytes (unused trailing bits); only the one that we wrote is the token.
    if (envelope.toString('base64url') !== encoded) return undefined;
    return open(key.key, envelope, kind);
  }
}
