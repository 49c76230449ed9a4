import { Column, Entity } from 'typeorm';
import { Policy } from './policy.entity.js';

/** How login names and domains are related. */
@Entity('domain_policy')
export class DomainPolicy extends Policy {
  /** Login names are `username@domain`, and user names are unique within their organization instead of the instance. */
  @Column({ type: 'boolean', default: false })
  userLoginMustBeDomain!: boolean;

  /** Whether an organization must verify its domains. */
  @Column({ type: 'boolean', default: false })
  validateOrgDomains!: boolean;

  @Column({ type: 'boolean', default: false })
  smtpSenderAddressMatchesInstanceDomain!: boolean;
}
