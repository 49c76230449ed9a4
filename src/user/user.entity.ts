import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { AccessTokenHeaderType } from '../foundation/config/config.js';
import { Recorded } from '../foundation/database/recorded.js';
import { Org } from '../org/org.entity.js';

export type UserKind = 'human' | 'service';
/** `initial`: created by another user and not set up yet. Only `active` users can sign in or have valid tokens. */
export type UserState = 'initial' | 'active' | 'inactive' | 'locked';
/** Who says that an address is the user's: the owner by a code sent to it, an import, or a manager or a provider. */
export type EmailProof = 'owner' | 'import' | 'said';
export type Gender = 'female' | 'male' | 'diverse';

/** OIDC Core §5.1.1. Absent members are not stored. */
export interface Address {
  formatted?: string;
  streetAddress?: string;
  locality?: string;
  region?: string;
  postalCode?: string;
  country?: string;
}

/** A human or a service user. One table, so that ids, names and grants of both are never equal. */
@Entity('user_account')
@Index('user_account_name_key', ['reservedScope', 'userNameKey'], { unique: true })
@Index(['emailKey'])
@Index('user_account_phone_idx', ['phone'], { where: 'phone_verified' })
@Index('user_account_list_change_date_idx', ['orgId', 'changeDate', 'id'])
@Index('user_account_list_phone_idx', ['orgId', 'phone'], { where: "phone <> ''" })
// Indexes for lists end with the id and contain expressions, which decorators cannot declare: see schema/tables.
@Index('user_account_list_user_name_idx', { synchronize: false })
@Index('user_account_list_first_name_idx', { synchronize: false })
@Index('user_account_list_last_name_idx', { synchronize: false })
@Index('user_account_list_nick_name_idx', { synchronize: false })
@Index('user_account_list_display_name_idx', { synchronize: false })
@Index('user_account_list_email_idx', { synchronize: false })
@Index('user_account_list_state_idx', { synchronize: false })
@Index('user_account_list_kind_idx', { synchronize: false })
@Index('user_account_list_creation_date_idx', { synchronize: false })
@Index('user_account_searched_idx', { synchronize: false })
@Index('user_account_mentioned_idx', { synchronize: false })
@Index('user_account_password_idx', { synchronize: false })
@Index('user_account_foreign_password_idx', { synchronize: false })
export class User extends Recorded {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  @ForeignKey(() => Org, { onDelete: 'CASCADE' })
  orgId!: string;

  @Column({ type: 'text' })
  kind!: UserKind;

  @Column({ type: 'text', default: 'active' })
  state!: UserState;

  /** The account was not set up when it was deactivated or locked: opened again, it is `initial`. */
  @Column({ type: 'boolean', default: false })
  awaitsSetUp!: boolean;

  @Column({ type: 'text' })
  userName!: string;

  /** The name in the form in which it is compared: see `user-name.ts`. */
  @Column({ type: 'text', collation: 'C' })
  userNameKey!: string;

  /**
   * The scope in which the name is reserved, which may be wider than its policy demands: empty for the instance, or an
   * organization's id. See org/name-scope.ts.
   */
  @Column({ type: 'text', name: 'name_scope', default: '' })
  reservedScope!: string;

  // A user's profile: every claim of OIDC Core §5.1.

  @Column({ type: 'text', default: '' })
  firstName!: string;

  @Column({ type: 'text', default: '' })
  lastName!: string;

  @Column({ type: 'text', default: '' })
  middleName!: string;

  @Column({ type: 'text', default: '' })
  nickName!: string;

  @Column({ type: 'text', default: '' })
  displayName!: string;

  @Column({ type: 'text', default: '' })
  preferredLanguage!: string;

  @Column({ type: 'text', default: '' })
  gender!: Gender | '';

  @Column({ type: 'text', default: '' })
  profileUrl!: string;

  @Column({ type: 'text', default: '' })
  pictureUrl!: string;

  @Column({ type: 'text', default: '' })
  website!: string;

  @Column({ type: 'text', default: '' })
  birthdate!: string;

  @Column({ type: 'text', default: '' })
  zoneinfo!: string;

  @Column({ type: 'jsonb', default: () => "'{}'" })
  address!: Address;

  @Column({ type: 'text', default: '' })
  email!: string;

  @Column({ type: 'text', collation: 'C', default: '' })
  emailKey!: string;

  @Column({ type: 'boolean', default: false })
  emailVerified!: boolean;

  /** Who proved the address, if it is verified. */
  @Column({ type: 'text', default: 'said' })
  emailProof!: EmailProof;

  /** When the address was verified by that proof; null if it is not, or if an earlier version verified it. */
  @Column({ type: 'timestamptz', nullable: true })
  emailVerifiedAt!: Date | null;

  /**
   * Sign-in does not require this address to be verified: set by an import for users whom another service allowed in
   * without.
   */
  @Column({ type: 'boolean', default: false })
  emailMayStayUnverified!: boolean;

  @Column({ type: 'text', default: '' })
  phone!: string;

  @Column({ type: 'boolean', default: false })
  phoneVerified!: boolean;

  /** When the number was verified; null likewise. */
  @Column({ type: 'timestamptz', nullable: true })
  phoneVerifiedAt!: Date | null;

  /** PHC string; null if there is no password. */
  @Column({ type: 'text', nullable: true })
  passwordHash!: string | null;

  /** SHA-256 of the imported hash of the same password, once it has been rehashed. */
  @Column({ type: 'bytea', nullable: true })
  passwordOrigin!: Buffer | null;

  @Column({ type: 'boolean', default: false })
  passwordChangeRequired!: boolean;

  @Column({ type: 'timestamptz', nullable: true })
  passwordChangedAt!: Date | null;

  /** Consecutive wrong passwords, if the lockout policy counts them. */
  @Column({ type: 'integer', default: 0 })
  failedPasswordChecks!: number;

  /** Consecutive wrong codes of second factors. */
  @Column({ type: 'integer', default: 0 })
  failedCodeChecks!: number;

  /** When the user last declined to set up a second factor. */
  @Column({ type: 'timestamptz', nullable: true })
  factorSkippedAt!: Date | null;

  /**
   * Raised to end all tokens issued so far (password changed, secret changed). A token contains the epoch of its issue.
   * A counter, because with a timestamp, before and after could fall into the same second.
   */
  @Column({ type: 'integer', default: 0 })
  tokenEpoch!: number;

  // A service user.

  @Column({ type: 'text', default: '' })
  serviceName!: string;

  @Column({ type: 'text', default: '' })
  description!: string;

  @Column({ type: 'text', default: 'opaque' })
  accessTokenType!: 'opaque' | 'jwt';

  /** The `typ` in the header of JWT access tokens. */
  @Column({ type: 'text', default: 'at+jwt' })
  accessTokenHeaderType!: AccessTokenHeaderType;

  /** Digest of the service user's secret: see crypto/stored-secret.ts. */
  @Column({ type: 'bytea', nullable: true })
  secretHash!: Buffer | null;
}
