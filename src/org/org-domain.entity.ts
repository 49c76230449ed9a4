import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Recorded } from '../foundation/database/recorded.js';
import { Org } from './org.entity.js';

/** How an organization verifies a domain: with a file, or with a TXT record. */
export type DomainValidationType = 'unspecified' | 'http' | 'dns';

/** A domain of an organization, in lower case. Several may claim one, but only one can have it verified. */
@Entity('org_domain')
@Index('org_domain_verified_key', ['domain'], { unique: true, where: 'is_verified' })
@Index('org_domain_of_org_idx', ['orgId', 'domain'], { where: 'is_verified' })
@Index('org_domain_primary_key', ['orgId'], { unique: true, where: 'is_primary' })
// Indexes of searched texts and of lists contain expressions, which decorators cannot declare: see schema/tables.
@Index('org_domain_list_domain_idx', { synchronize: false })
@Index('org_domain_search_domain_idx', { synchronize: false })
export class OrgDomain extends Recorded {
  @PrimaryColumn({ type: 'text' })
  @ForeignKey(() => Org, { onDelete: 'CASCADE' })
  orgId!: string;

  @PrimaryColumn({ type: 'text' })
  domain!: string;

  @Column({ type: 'boolean', default: false })
  isVerified!: boolean;

  /**
   * The organization has published what only the owner of the domain can. A domain that is verified without, because
   * nothing was demanded, is good for names of its own users, and decides nothing for anybody else.
   */
  @Column({ type: 'boolean', default: false })
  isProved!: boolean;

  @Column({ type: 'boolean', default: false })
  isPrimary!: boolean;

  /** The pending verification. */
  @Column({ type: 'text', default: 'unspecified' })
  validationType!: DomainValidationType;

  /** The text that must be published; empty if no verification is pending. */
  @Column({ type: 'text', default: '' })
  validationToken!: string;
}
