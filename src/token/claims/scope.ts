import { Injectable } from '@nestjs/common';
import { InstanceService } from '../../org/instance/instance.service.js';
import { OrgService } from '../../org/org.service.js';
import type { Client } from '../../project/client/client.js';
import { ProjectService } from '../../project/project.service.js';
import type { ServiceUserAccount } from '../../user/account.js';
import { ContributedClaims } from './contributed-claims.js';
import { Urn } from './urn.js';
import { GROUPS } from './user-claims.js';

/** OIDC Core §5.4 and §11. */
export const STANDARD_SCOPES = ['openid', 'profile', 'email', 'phone', 'address', 'offline_access'] as const;

/**
 * More projects than any token is for; each one that is not cached costs a statement, and strangers choose the number.
 */
const MAX_AUDIENCES = 20;

/** Which roles an answer may contain. */
export interface RoleQuestion {
  /** The project of the roles in the unqualified claim; undefined for service users. */
  readonly currentProjectId: string | undefined;
  readonly projectIds: readonly string[];
  /** Only these roles; undefined for all. */
  readonly roleKeys: readonly string[] | undefined;
  /** Only roles granted by these organizations; undefined for all. */
  readonly orgIds: readonly string[] | undefined;
}

/** The meaning of scopes: which are granted, the audience of the token, the roles it may contain. */
@Injectable()
export class ScopeRules {
  constructor(
    private readonly urn: Urn,
    private readonly instances: InstanceService,
    private readonly projects: ProjectService,
    private readonly contributed: ContributedClaims,
    private readonly orgs: OrgService,
  ) {}

  /** The scopes that a client is granted: unknown and disallowed ones are dropped silently. */
  async grantToClient(requested: readonly string[], client: Client, codeFlow: boolean): Promise<readonly string[]> {
    const known = [...new Set(requested)].filter((scope) => {
      if (scope === 'offline_access') return codeFlow && client.mayUse('refresh_token');
      // Roles, metadata and the audiences of others are for applications that an administrator has registered.
      if (client.describesItself) return (STANDARD_SCOPES as readonly string[]).includes(scope);
      const role = this.urn.roleOf(scope);
      return role === undefined ? this.isKnown(scope) : client.project.roleKeys.includes(role);
    });
    return this.withoutStrangeAudiences(known);
  }

  /** The organization whose users alone may sign in, if a scope names one; its id is empty if it is unknown. */
  async requiredOrg(scopes: readonly string[]): Promise<string | undefined> {
    const orgId = scopes.map((scope) => this.urn.orgIdOf(scope)).find((id) => id !== undefined);
    const domain = scopes.map((scope) => this.urn.orgDomainOf(scope)).find((name) => name !== undefined);
    if (orgId === undefined && domain === undefined) return undefined;
    const org =
      orgId === undefined ? await this.orgs.findByVerifiedDomain(domain ?? '') : await this.orgs.findActive(orgId);
    return org?.id ?? '';
  }

  /** The scopes that a service user is granted; an organization other than its own is dropped (TOK-043). */
  async grantToService(requested: readonly string[], account: ServiceUserAccount): Promise<readonly string[]> {
    const known = [...new Set(requested)].filter((scope) => {
      if (scope === 'offline_access' || this.urn.orgDomainOf(scope) !== undefined) return false;
      const orgId = this.urn.orgIdOf(scope);
      return orgId === undefined ? this.isKnown(scope) : orgId === account.orgId;
    });
    return this.withoutStrangeAudiences(known);
  }

  /**
   * Removes audiences that are not active projects. Anything else in `aud`, especially another client's id, would let a
   * token pass where it was not meant to (RFC 9700 §2.3). Checked whenever a grant is used, since projects come and go.
   */
  async withoutStrangeAudiences(scopes: readonly string[]): Promise<readonly string[]> {
    if (scopes.every((scope) => this.urn.audienceOf(scope) === undefined)) return scopes;
    const named = [...new Set(scopes.flatMap((scope) => this.urn.audienceOf(scope) ?? []))];
    const answers = await Promise.all(
      named.slice(0, MAX_AUDIENCES).map(async (id) => ((await this.isAudience(id)) ? [id] : [])),
    );
    const audiences = new Set(answers.flat());
    return scopes.filter((scope) => {
      const id = this.urn.audienceOf(scope);
      return id === undefined || audiences.has(id);
    });
  }

  /** `aud` for the granted scopes: the client itself, its project, and each project in an audience scope. */
  async audience(scopes: readonly string[], clientId: string, projectId: string | undefined): Promise<string[]> {
    const own = projectId === undefined ? [clientId] : [clientId, projectId];
    return [...new Set([...own, ...(await this.namedProjects(scopes))])];
  }

  /** The roles that the token's own scopes request, or that its client or project always asserts. */
  async roleQuestion(scopes: readonly string[], client: Client | undefined): Promise<RoleQuestion | undefined> {
    if (client?.describesItself === true) return undefined;
    const roleKeys = scopes.map((scope) => this.urn.roleOf(scope)).filter((key) => key !== undefined);
    const ofAllProjects = scopes.includes(this.urn.allProjectRoles);
    const named = await this.namedProjects(scopes);
    const asksForOwn = roleKeys.length > 0 || client?.project.projectRoleAssertion === true;
    const projectIds: string[] = [];
    if (client && (asksForOwn || client.assertsRoles)) projectIds.push(client.project.id);
    if (ofAllProjects || (!client && roleKeys.length > 0)) projectIds.push(...named);
    if (projectIds.length === 0) return undefined;
    return {
      currentProjectId: client?.project.id,
      projectIds: [...new Set(projectIds)],
      roleKeys: roleKeys.length > 0 ? roleKeys : undefined,
      orgIds: this.askedOrgs(scopes),
    };
  }

  /** Introspection always returns the roles of the asking client's own project. */
  roleQuestionOf(projectId: string, scopes: readonly string[]): RoleQuestion {
    return {
      currentProjectId: projectId,
      projectIds: [projectId],
      roleKeys: undefined,
      orgIds: this.askedOrgs(scopes),
    };
  }

  /**
   * Whether people must be asked before the client gets tokens with these scopes: it would use the administrative API
   * in their name, and is not the product's own (docs/adr/0087).
   */
  async asksToAdminister(scopes: readonly string[], client: Client): Promise<boolean> {
    const { systemProjectId } = await this.instances.get();
    if (client.project.id === systemProjectId && !client.describesItself) return false;
    return (await this.audience(scopes, client.id, client.project.id)).includes(systemProjectId);
  }

  /**
   * Whether the tokens would be for projects of an organization that has granted nothing to the client's own: what is
   * called with them cannot tell that the client is a stranger there.
   * @param resourceProjects of the protected resources that the tokens are for
   */
  async leavesOrg(scopes: readonly string[], resourceProjects: readonly string[], client: Client): Promise<boolean> {
    const { systemProjectId } = await this.instances.get();
    const { id, orgId } = client.project;
    const others = [...(await this.namedProjects(scopes)), ...resourceProjects].filter(
      (projectId) => projectId !== id && projectId !== systemProjectId,
    );
    return !(await this.projects.areOpenTo(orgId, [...new Set(others)]));
  }

  /** Whether the token is valid for the administrative API. */
  async includesSystem(audience: readonly string[]): Promise<boolean> {
    return audience.includes((await this.instances.get()).systemProjectId);
  }

  private isKnown(scope: string): boolean {
    return (
      (STANDARD_SCOPES as readonly string[]).includes(scope) ||
      this.contributed.knowsScope(scope) ||
      scope === this.urn.allProjectRoles ||
      scope === GROUPS ||
      scope === this.urn.metadata ||
      scope === this.urn.resourceOwner ||
      [
        this.urn.roleOf(scope),
        this.urn.audienceOf(scope),
        this.urn.orgIdOf(scope),
        this.urn.orgDomainOf(scope),
        this.urn.rolesOfOrg(scope),
        this.urn.idpOf(scope),
      ].some((value) => value !== undefined)
    );
  }

  private async isAudience(id: string): Promise<boolean> {
    return id === this.urn.systemWord || this.projects.isActive(id);
  }

  private askedOrgs(scopes: readonly string[]): string[] | undefined {
    const orgIds = scopes.map((scope) => this.urn.rolesOfOrg(scope)).filter((id) => id !== undefined);
    return orgIds.length > 0 ? orgIds : undefined;
  }

  private async namedProjects(scopes: readonly string[]): Promise<string[]> {
    const named = scopes.map((scope) => this.urn.audienceOf(scope)).filter((id) => id !== undefined);
    if (!named.includes(this.urn.systemWord)) return named;
    const { systemProjectId } = await this.instances.get();
    return named.map((id) => (id === this.urn.systemWord ? systemProjectId : id));
  }
}
