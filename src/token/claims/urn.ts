import { Injectable } from '@nestjs/common';
import { IssuerConfig } from '../../foundation/config/config.js';

/** The reserved scope and claim names, `urn:{word}:iam:…`; the operator chooses the word (`URN_WORD`). */
@Injectable()
export class Urn {
  private readonly iam: string;
  /** Stands for the project of the administrative API in audience scopes. */
  readonly systemWord: string;
  /** The request header with the organization of an administrative call, in lower case. */
  readonly orgHeader: string;

  // Scopes. Composed once: each request compares all of its scopes with them, and a text must be put together before it
  // is compared.

  readonly allProjectRoles: string;
  readonly metadata: string;
  readonly resourceOwner: string;
  /** The scope that makes a token valid at the administrative API. */
  readonly systemAudience: string;
  /** In place of a subject token, the id of a user for whom another one acts (RFC 8693 §3). */
  readonly userIdTokenType: string;
  private readonly role: string;
  private readonly project: string;
  private readonly orgId: string;
  private readonly orgDomain: string;
  private readonly orgRoles: string;
  private readonly idp: string;

  constructor(issuer: IssuerConfig) {
    const word = issuer.urnWord;
    const iam = `urn:${word}:iam:`;
    this.iam = iam;
    this.systemWord = word;
    this.orgHeader = `x-${word.toLowerCase()}-orgid`;
    this.allProjectRoles = `${iam}org:projects:roles`;
    this.metadata = `${iam}user:metadata`;
    this.resourceOwner = `${iam}user:resourceowner`;
    this.systemAudience = `${iam}org:project:id:${word}:aud`;
    this.userIdTokenType = `urn:${word}:params:oauth:token-type:user_id`;
    this.role = `${iam}org:project:role:`;
    this.project = `${iam}org:project:id:`;
    this.orgId = `${iam}org:id:`;
    this.orgDomain = `${iam}org:domain:primary:`;
    this.orgRoles = `${iam}org:roles:id:`;
    this.idp = `${iam}org:idp:id:`;
  }

  roleOf(scope: string): string | undefined {
    return after(scope, this.role);
  }

  /** The project id, or the system word, in an audience scope. */
  audienceOf(scope: string): string | undefined {
    const rest = after(scope, this.project);
    return rest?.endsWith(':aud') && rest.length > ':aud'.length ? rest.slice(0, -':aud'.length) : undefined;
  }

  orgIdOf(scope: string): string | undefined {
    return after(scope, this.orgId);
  }

  orgDomainOf(scope: string): string | undefined {
    return after(scope, this.orgDomain);
  }

  rolesOfOrg(scope: string): string | undefined {
    return after(scope, this.orgRoles);
  }

  idpOf(scope: string): string | undefined {
    return after(scope, this.idp);
  }

  // Claims.

  get projectRolesClaim(): string {
    return `${this.iam}org:project:roles`;
  }

  projectRolesClaimOf(projectId: string): string {
    return `${this.iam}org:project:${projectId}:roles`;
  }

  get metadataClaim(): string {
    return this.metadata;
  }

  resourceOwnerClaim(member: 'id' | 'name' | 'primary_domain'): string {
    return `${this.iam}user:resourceowner:${member}`;
  }

  get orgIdClaim(): string {
    return `${this.iam}org:id`;
  }

  get orgDomainClaim(): string {
    return `${this.iam}org:domain:primary`;
  }
}

function after(text: string, prefix: string): string | undefined {
  return text.startsWith(prefix) && text.length > prefix.length ? text.slice(prefix.length) : undefined;
}
