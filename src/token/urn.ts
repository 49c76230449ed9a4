import { Injectable } from '@nestjs/common';
import { IssuerConfig } from '../foundation/config/config.js';

/** The reserved scope and claim names, `urn:{word}:iam:…`; the operator chooses the word (`URN_WORD`). */
@Injectable()
export class Urn {
  private readonly iam: string;
  /** Stands for the project of the administrative API in audience scopes. */
  readonly systemWord: string;

  constructor(issuer: IssuerConfig) {
    this.iam = `urn:${issuer.urnWord}:iam:`;
    this.systemWord = issuer.urnWord;
  }

  /** The request header with the organization of an administrative call, in lower case. */
  get orgHeader(): string {
    return `x-${this.systemWord.toLowerCase()}-orgid`;
  }

  // Scopes.

  get allProjectRoles(): string {
    return `${this.iam}org:projects:roles`;
  }

  get metadata(): string {
    return `${this.iam}user:metadata`;
  }

  get resourceOwner(): string {
    return `${this.iam}user:resourceowner`;
  }

  /** The scope that makes a token valid at the administrative API. */
  get systemAudience(): string {
    return `${this.iam}org:project:id:${this.systemWord}:aud`;
  }

  roleOf(scope: string): string | undefined {
    return after(scope, `${this.iam}org:project:role:`);
  }

  /** The project id, or the system word, in an audience scope. */
  audienceOf(scope: string): string | undefined {
    const rest = after(scope, `${this.iam}org:project:id:`);
    return rest?.endsWith(':aud') && rest.length > ':aud'.length ? rest.slice(0, -':aud'.length) : undefined;
  }

  orgIdOf(scope: string): string | undefined {
    return after(scope, `${this.iam}org:id:`);
  }

  orgDomainOf(scope: string): string | undefined {
    return after(scope, `${this.iam}org:domain:primary:`);
  }

  rolesOfOrg(scope: string): string | undefined {
    return after(scope, `${this.iam}org:roles:id:`);
  }

  idpOf(scope: string): string | undefined {
    return after(scope, `${this.iam}org:idp:id:`);
  }

  /** In place of a subject token, the id of a user for whom another one acts (RFC 8693 §3). */
  get userIdTokenType(): string {
    return `urn:${this.systemWord}:params:oauth:token-type:user_id`;
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
