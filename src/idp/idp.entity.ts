import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { Recorded } from '../foundation/database/recorded.js';

/** The types of the product, and the kinds of extensions (`idp-kind.ts`). */
export type IdpType = 'oidc' | 'jwt' | ExtIdpType;
export type ExtIdpType = `ext:${string}`;
export type IdpState = 'active' | 'inactive';
/** The look of the provider's button. */
export type StylingType = 'unspecified' | 'vendor';
/** By what administrators would like accounts to be found; they are offered, and never linked by it. */
export type AutoLinking = 'unspecified' | 'username' | 'email';
/** Which of the provider's values becomes the display name. */
export type MappingField = 'unspecified' | 'preferred_username' | 'email';

/** An external identity provider. One table for all types: a name belongs to one provider, whatever its type. */
@Entity('idp')
@Index(['ownerId', 'id'])
@Index('idp_owner_name_key', ['ownerId', 'name'], { unique: true })
// Indexes of searched texts and of lists contain expressions, which decorators cannot declare: see schema/tables.
@Index('idp_list_name_idx', { synchronize: false })
@Index('idp_search_name_idx', { synchronize: false })
export class Idp extends Recorded {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  /** An organization's id, or the instance's. */
  @Column({ type: 'text' })
  ownerId!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text', default: 'active' })
  state!: IdpState;

  @Column({ type: 'text', default: 'unspecified' })
  stylingType!: StylingType;

  /** Whether unknown users get an account without being asked, if they may get one. */
  @Column({ type: 'boolean', default: false })
  autoRegister!: boolean;

  /** Whether users may link an account here with one at the provider. */
  @Column({ type: 'boolean', default: true })
  isLinkingAllowed!: boolean;

  /** Whether users may get an account here; null where nobody has said it, see `mayCreate`. */
  @Column({ type: 'boolean', nullable: true })
  isCreationAllowed!: boolean | null;

  /** Whether the names of users follow what the provider says. */
  @Column({ type: 'boolean', default: false })
  isAutoUpdate!: boolean;

  @Column({ type: 'text', default: 'unspecified' })
  autoLinking!: AutoLinking;

  @Column({ type: 'text' })
  type!: IdpType;

  @Column({ type: 'text' })
  issuer!: string;

  @Column({ type: 'text', default: '' })
  clientId!: string;

  /** Sealed; empty for a JWT provider. */
  @Column({ type: 'text', default: '' })
  clientSecret!: string;

  @Column({ type: 'text', array: true, default: () => "'{}'" })
  scopes!: string[];

  @Column({ type: 'text', default: 'unspecified' })
  displayNameMapping!: MappingField;

  @Column({ type: 'text', default: 'unspecified' })
  usernameMapping!: MappingField;

  /** Where browsers are sent to get a JWT. */
  @Column({ type: 'text', default: '' })
  jwtEndpoint!: string;

  @Column({ type: 'text', default: '' })
  keysEndpoint!: string;

  /** The header that contains the JWT. */
  @Column({ type: 'text', default: '' })
  headerName!: string;

  /** The settings that the kind of an extension declares, without the secrets. */
  @Column({ type: 'jsonb', default: () => "'{}'" })
  settings!: object;

  /** The secrets among them, as JSON, sealed; empty for none. */
  @Column({ type: 'text', default: '' })
  secretSettings!: string;
}

/** Whether the type is a kind of an extension. */
export function isExtType(type: string): type is ExtIdpType {
  return type.startsWith('ext:');
}
