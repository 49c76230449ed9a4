import { Column, Entity } from 'typeorm';
import { Policy } from './policy.entity.js';

/** How names and domains hang together. */
@Entity('domain_policy')
export class DomainPolicy extends Policy {
  /** Login names are `username@domain`, and user names unique within their organization instead of the instance. */
  @Column({ type: 'boolean', default: false })
  userLoginMustBeDomain!: boolean;

  /** Whether an organization must prove that a domain is its own. */
  @Column({ type: 'boolean', default: false })
  validateOrgDomains!: boolean;

  @Column({ type: 'boolean', default: false })
  smtpSenderAddressMatchesInstanceDomain!: boolean;
}
