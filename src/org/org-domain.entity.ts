import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Recorded } from '../database/recorded.js';
import { Org } from './org.entity.js';

/** How an organization proves a domain its own: by a file below it, or by a TXT record. */
export type DomainValidationType = 'unspecified' | 'http' | 'dns';

/** A domain of an organization, in lower case. Several may claim one, a single one can have it verified. */
@Entity('org_domain')
@Index('org_domain_verified_key', ['domain'], { unique: true, where: 'is_verified' })
@Index('org_domain_primary_key', ['orgId'], { unique: true, where: 'is_primary' })
export class OrgDomain extends Recorded {
  @PrimaryColumn({ type: 'text' })
  @ForeignKey(() => Org, { onDelete: 'CASCADE' })
  orgId!: string;

  @PrimaryColumn({ type: 'text' })
  domain!: string;

  @Column({ type: 'boolean', default: false })
  isVerified!: boolean;

  @Column({ type: 'boolean', default: false })
  isPrimary!: boolean;

  /** The proof that was begun and is not found yet. */
  @Column({ type: 'text', default: 'unspecified' })
  validationType!: DomainValidationType;

  /** What must be published; empty when nothing was begun. */
  @Column({ type: 'text', default: '' })
  validationToken!: string;
}
