import { Injectable } from '@nestjs/common';
import { randomAlphanumeric } from '../../foundation/crypto/random.js';
import { Database } from '../../foundation/database/database.js';
import { allowLongWork } from '../../foundation/database/long-work.js';
import type { EventMark } from '../../foundation/event/journal.js';
import { parseDomain, toDomainKey } from '../../org/domain-name.js';
import { domainInvalid, validationNotStarted } from '../../org/org.errors.js';
import type { DomainValidationType } from '../../org/org-domain.entity.js';
import { OrgDomainService } from '../../org/org-domain.service.js';
import { PolicyService } from '../../org/policy/policy.service.js';
import { ClaimedNames } from '../../user/claimed-names.js';
import { DomainProof, type ProofPlace } from './domain-proof.js';
import {
  checkNamesApart,
  checkNobodyElseHasAddressAt,
  checkNobodyElseIsNamedAt,
  holdNamesAt,
} from './names-at-domain.js';

const TOKEN_CHARACTERS = 32;

/** Gives an organization a domain: by naming or by verifying it, as its domain policy demands. */
@Injectable()
export class OrgDomains {
  constructor(
    private readonly database: Database,
    private readonly domains: OrgDomainService,
    private readonly policies: PolicyService,
    private readonly proof: DomainProof,
    private readonly claimedNames: ClaimedNames,
  ) {}

  /**
   * A domain is the organization's at once, unless its policy requires verification (`validateOrgDomains`).
   * @throws DomainError InvalidArgument; AlreadyExists; FailedPrecondition `org.domain_in_use`,
   * `org.domain_address_in_use`, `org.domain_names_collide`; Aborted `user.names_busy`
   */
  async add(orgId: string, domain: string, editorId: string): Promise<EventMark> {
    const { validateOrgDomains } = await this.policies.effective('domain', orgId);
    const parsed = parseDomain(domain);
    if (parsed === undefined) throw domainInvalid();
    return this.database.transaction(async (tx) => {
      if (validateOrgDomains) return this.domains.add(tx, orgId, parsed, false, editorId);
      await holdNamesAt(tx, parsed, orgId);
      await allowLongWork(tx);
      await checkNobodyElseIsNamedAt(tx, parsed, orgId);
      await checkNobodyElseHasAddressAt(tx, parsed, orgId);
      await checkNamesApart(tx, parsed, orgId);
      return this.domains.add(tx, orgId, parsed, true, editorId);
    });
  }

  /**
   * Begins a verification, and returns what to publish where.
   * @throws DomainError NotFound; FailedPrecondition `org.domain_verified`
   */
  async startValidation(
    orgId: string,
    domain: string,
    type: DomainValidationType,
    editorId: string,
  ): Promise<ProofPlace> {
    const token = randomAlphanumeric(TOKEN_CHARACTERS);
    await this.database.transaction((tx) => this.domains.startValidation(tx, orgId, domain, type, token, editorId));
    return this.proof.placeOf(toDomainKey(domain), type, token);
  }

  /** @throws DomainError NotFound; FailedPrecondition `org.domain_primary` */
  async remove(orgId: string, domain: string, editorId: string): Promise<EventMark> {
    return this.database.transaction((tx) => this.domains.remove(tx, orgId, domain, editorId));
  }

  /** @throws DomainError NotFound; FailedPrecondition `org.domain_unverified` */
  async setPrimary(orgId: string, domain: string, editorId: string): Promise<EventMark> {
    return this.database.transaction((tx) => this.domains.setPrimary(tx, orgId, domain, editorId));
  }

  /**
   * Checks the verification, outside any transaction, and takes the domain. Users of other organizations whose name
   * ends with it are renamed and notified by mail.
   * @throws DomainError NotFound; FailedPrecondition `org.domain_validation_missing`, `org.domain_validation_failed`,
   * `org.domain_names_collide`; AlreadyExists `org.domain_taken`; Aborted `user.names_busy`
   */
  async validate(orgId: string, domain: string, editorId: string): Promise<EventMark> {
    const claimed = await this.database.transaction((tx) => this.domains.get(tx, orgId, domain));
    if (claimed.validationToken === '') throw validationNotStarted(claimed.domain);
    await this.proof.check(claimed);
    return this.database.transaction(async (tx) => {
      await holdNamesAt(tx, claimed.domain, orgId);
      await allowLongWork(tx);
      const current = await this.domains.get(tx, orgId, domain);
      if (current.validationToken !== claimed.validationToken) throw validationNotStarted(claimed.domain);
      await checkNamesApart(tx, claimed.domain, orgId);
      const mark = await this.domains.markProved(tx, orgId, claimed.domain, editorId);
      await this.claimedNames.giveUp(tx, orgId, claimed.domain, editorId);
      return mark;
    });
  }
}
