import type { JWK } from 'jose';
import type { AccessTokenHeaderType } from '../foundation/config/config.js';
import type { UserState } from './user.entity.js';
import type { UserFacts } from './user-facts.js';

/** The data of a user that a sign-in needs. */
export interface SignInAccount extends UserFacts {
  readonly state: UserState;
  readonly passwordHash: string | null;
  readonly passwordChangeRequired: boolean;
  /** Whether the login policy allows passwords: that of the user's organization, otherwise of the instance. */
  readonly passwordsAllowed: boolean;
}

/** An active service user of an active organization, with what is needed to issue tokens. */
export interface ServiceUserAccount {
  readonly id: string;
  readonly orgId: string;
  readonly userName: string;
  readonly accessTokenType: 'opaque' | 'jwt';
  readonly accessTokenHeaderType: AccessTokenHeaderType;
  readonly tokenEpoch: number;
  readonly secretHash: Buffer | null;
  readonly keys: ReadonlyArray<{ id: string; publicKey: JWK; expiresAt: Date }>;
}
