import type { JWK } from 'jose';
import type { AccessTokenHeaderType } from '../config/config.js';
import type { UserState } from './user.entity.js';
import type { UserFacts } from './user-facts.js';

/** What signing in needs to know about a person. */
export interface SignInAccount extends UserFacts {
  readonly state: UserState;
  readonly passwordHash: string | null;
  readonly passwordChangeRequired: boolean;
  /** By the login policy of the person's organization, else of the instance. */
  readonly passwordsAllowed: boolean;
}

/** An active service user of an active organization, as far as issuing tokens needs it. */
export interface ServiceAccount {
  readonly id: string;
  readonly orgId: string;
  readonly userName: string;
  readonly accessTokenType: 'opaque' | 'jwt';
  readonly accessTokenHeaderType: AccessTokenHeaderType;
  readonly tokenEpoch: number;
  readonly secretHash: Buffer | null;
  readonly keys: ReadonlyArray<{ id: string; publicKey: JWK; expiresAt: Date }>;
}
