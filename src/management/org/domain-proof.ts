import { Resolver } from 'node:dns/promises';
import { Injectable } from '@nestjs/common';
import { IssuerConfig } from '../../foundation/config/config.js';
import { DomainError } from '../../foundation/error/domain-error.js';
import { OutboundClient } from '../../foundation/outbound/outbound-client.js';
import { validationFailed } from '../../org/org.errors.js';
import type { DomainValidationType, OrgDomain } from '../../org/org-domain.entity.js';

const DNS_TIMEOUT_MS = 5_000;

/** The proof that an organization must publish to verify a domain, and where. */
export interface ProofPlace {
  readonly token: string;
  /** The URL of the file, or the name of the TXT record. */
  readonly url: string;
}

/** Checks whether a domain publishes what only its owner can. */
@Injectable()
export class DomainProof {
  private readonly resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 2 });

  constructor(
    private readonly outbound: OutboundClient,
    private readonly issuer: IssuerConfig,
  ) {}

  placeOf(domain: string, type: DomainValidationType, token: string): ProofPlace {
    const name = `${this.issuer.urnWord.toLowerCase()}-challenge`;
    return { token, url: type === 'dns' ? `_${name}.${domain}` : `https://${domain}/.well-known/${name}/${token}.txt` };
  }

  /** @throws DomainError FailedPrecondition `org.domain_validation_failed`, which says what was found instead */
  async check({ orgId, domain, validationType, validationToken }: OrgDomain): Promise<void> {
    const { url } = this.placeOf(domain, validationType, validationToken);
    const found = validationType === 'dns' ? await this.readRecords(url) : await this.readFile(url, orgId);
    if (!found.includes(validationToken)) {
      throw validationFailed(
        `${url} does not say ${validationToken} (found: ${found.length === 0 ? 'nothing' : 'something else'}).`,
      );
    }
  }

  private async readRecords(name: string): Promise<string[]> {
    try {
      return (await this.resolver.resolveTxt(name)).map((parts) => parts.join(''));
    } catch (error) {
      throw validationFailed(`There is no TXT record ${name} (${(error as { code?: string }).code ?? 'no answer'}).`);
    }
  }

  private async readFile(url: string, ownerId: string): Promise<string[]> {
    try {
      const { status, body } = await this.outbound.send({ url, ownerId });
      return status === 200 ? [body.toString('utf8').trim()] : [];
    } catch (error) {
      throw error instanceof DomainError ? validationFailed(`${url} cannot be read: ${error.message}`) : error;
    }
  }
}
