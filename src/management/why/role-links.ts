import { Injectable } from '@nestjs/common';
import { type GrantOfUser, UserGrantService } from '../../project/user-grant/user-grant.service.js';
import { Urn } from '../../token/claims/urn.js';
import { ApplicationLinks } from './application-links.js';
import type { Mend } from './link.js';
import type { TokenCase } from './token-case.js';
import { SPOKEN, TOKENS, type TokenLink, type TokenName, tokenLink } from './token-link.js';
import { history, listed } from './wording.js';

/** Says of each role by which grant a user has it and where it is told, or why it is not. */
@Injectable()
export class RoleLinks {
  constructor(
    private readonly grants: UserGrantService,
    private readonly applications: ApplicationLinks,
    private readonly urn: Urn,
  ) {}

  /** Every role of the application's project that is told anywhere. */
  async present(given: TokenCase): Promise<TokenLink[]> {
    const grants = await this.grants.allOf(given.user.id, given.client.project.id);
    const told = given.client.project.roleKeys.filter((role) => this.tokensTelling(given, role).length > 0);
    return Promise.all(told.map((role) => this.origin(given, role, grants)));
  }

  async about(given: TokenCase, role: string): Promise<TokenLink[]> {
    const grants = await this.grants.allOf(given.user.id, given.client.project.id);
    const tokens = this.tokensTelling(given, role);
    const told = tokens.length > 0 ? [await this.origin(given, role, grants)] : [];
    const isMissing = !tokens.includes('idToken') && !tokens.includes('accessToken');
    return isMissing ? [...told, await this.absence(given, role, grants, tokens)] : told;
  }

  private tokensTelling({ preview, client }: TokenCase, role: string): TokenName[] {
    const claims = [this.urn.projectRolesClaim, this.urn.projectRolesClaimOf(client.project.id)];
    return TOKENS.filter((token) =>
      claims.some((claim) => {
        const told = preview[token]?.[claim];
        return typeof told === 'object' && told !== null && Object.hasOwn(told, role);
      }),
    );
  }

  private async origin(given: TokenCase, role: string, grants: readonly GrantOfUser[]): Promise<TokenLink> {
    const { name, sight, rules, client } = given;
    const tokens = this.tokensTelling(given, role);
    const grant = grants.find((one) => one.roleKeys.includes(role) && isActive(one));
    const said = { isPresent: true, role, tokens } as const;
    const is = `The role ${role} is in ${listed(tokens.map((token) => SPOKEN[token]))}`;
    const reach = { orgId: grant?.orgId ?? '', projectId: client.project.id };
    if (!grant || !sight.may('user.grant.read', reach))
      return tokenLink({ ...said, code: 'grant', sentence: `${is}, because ${name} has it.` });
    const change = await rules.change({ aggregateType: 'user_grant', aggregateId: grant.id });
    const by = (await rules.nameOfOrg(grant.orgId)).spoken;
    const since = change ? history(change) : '';
    if (grant.groupId === null)
      return tokenLink({ ...said, code: 'grant', sentence: `${is}: ${by} has granted it to ${name}${since}.` });
    const group = sight.may('group.read', { orgId: grant.orgId }) ? ` ${grant.groupName ?? ''}` : '';
    const sentence = `${is}: ${by} has granted it to the group${group}, of which ${name} is a member${since}.`;
    return tokenLink({ ...said, code: 'group_grant', sentence });
  }

  /** The first reason, in the order in which a token is made. */
  private async absence(
    given: TokenCase,
    role: string,
    grants: readonly GrantOfUser[],
    tokens: readonly TokenName[],
  ): Promise<TokenLink> {
    const { client, found, name, sight, question } = given;
    const reach = { orgId: found.orgId, projectId: found.projectId };
    const absent = (code: TokenLink['code'], sentence: string, more: Partial<TokenLink> = {}): TokenLink =>
      tokenLink({ code, isPresent: false, role, tokens, sentence, ...more });
    if (!client.project.roleKeys.includes(role)) {
      const parameters = { projectId: found.projectId, roleKey: role, displayName: role };
      const remedy = { operationId: 'AddProjectRole', permission: 'project.role.write', parameters, reach } as const;
      const sentence = `Project ${found.projectName} has no role ${role}.`;
      return absent('role_unknown', sentence, { mends: [sight.mend(remedy)] });
    }
    const holding = grants.filter(({ roleKeys }) => roleKeys.includes(role));
    if (holding.length === 0)
      return absent(
        'role_not_granted',
        `${name} has not been granted the role ${role} in project ${found.projectName}.`,
        {
          mends: this.grantMends(given, role, grants),
        },
      );
    if (!holding.some(isActive)) return absent(...(await this.inactive(given, role, holding[0]!)));
    if (!question) return absent(...(await this.notAsserted(given, role)));
    if (question.roleKeys && !question.roleKeys.includes(role))
      return absent('role_not_asked', `The request names other roles by their scopes, and not ${role}.`);
    const { orgIds } = question;
    if (orgIds && !holding.some((one) => isActive(one) && orgIds.includes(one.orgId)))
      return absent(
        'organization_not_asked',
        `The request asks only for roles that other organizations have granted, and not for the role ${role} of ${name}.`,
      );
    if (!question.projectIds.includes(client.project.id))
      return absent(
        'audience_missing',
        'The request asks for roles of other projects, and not of that of the application.',
      );
    return absent(...(await this.notInTokens(given, role, tokens)));
  }

  private grantMends(
    { client, found, sight, user }: TokenCase,
    role: string,
    grants: readonly GrantOfUser[],
  ): readonly Mend[] {
    const permission = 'user.grant.write';
    const own = grants.find(({ groupId, projectGrantId }) => groupId === null && projectGrantId === null);
    const reach = { orgId: own?.orgId ?? found.orgId, projectId: client.project.id };
    if (!sight.may('user.grant.read', reach)) return [];
    const parameters = own
      ? { userId: user.id, grantId: own.id, roleKeys: [...own.roleKeys, role] }
      : { userId: user.id, projectId: client.project.id, roleKeys: [role] };
    return [sight.mend({ operationId: own ? 'UpdateUserGrant' : 'AddUserGrant', permission, parameters, reach })];
  }

  private async inactive(
    { sight, rules, user, name, found }: TokenCase,
    role: string,
    grant: GrantOfUser,
  ): Promise<Parameters<typeof named>> {
    const by = (await rules.nameOfOrg(grant.orgId)).spoken;
    if (grant.state === 'inactive') {
      const to = grant.groupId === null ? name : `a group of ${name}`;
      const parameters = { userId: user.id, grantId: grant.id };
      const reach = { orgId: grant.orgId, projectId: found.projectId };
      const remedy = { operationId: 'ReactivateUserGrant', permission: 'user.grant.write', parameters, reach } as const;
      const mends = grant.groupId === null && sight.may('user.grant.read', reach) ? [sight.mend(remedy)] : [];
      return named('grant_inactive', `The grant by which ${by} gives ${to} the role ${role} is inactive.`, { mends });
    }
    const parameters = { projectId: found.projectId, grantId: grant.projectGrantId };
    const reach = { orgId: found.orgId, projectId: found.projectId };
    const remedy = {
      operationId: 'ReactivateProjectGrant',
      permission: 'project.grant.write',
      parameters,
      reach,
    } as const;
    return named(
      'project_grant_inactive',
      `Project ${found.projectName} is granted to ${by}, which has given ${name} the role ${role}; that grant of the project is inactive.`,
      { mends: sight.may('project.grant.read', reach) ? [sight.mend(remedy)] : [] },
    );
  }

  private async notAsserted(given: TokenCase, role: string): Promise<Parameters<typeof named>> {
    const { found, name } = given;
    const scope = `${this.urn.projectRolesClaim.replace(/roles$/, 'role:')}${role}`;
    const voice = await this.applications.projectSetting(given, found, 'projectRoleAssertion');
    const sentence = `${name} has the role ${role}, but nothing asks for it: neither the request by the scope ${scope}, nor the application. ${voice.says('does not have roles told without being asked')}`;
    return named('roles_not_asserted', sentence, { rule: voice.rule, mends: assertionMends(given) });
  }

  /** Userinfo tells it: the application reads it there unless its tokens have it as well. */
  private async notInTokens(
    given: TokenCase,
    role: string,
    tokens: readonly TokenName[],
  ): Promise<Parameters<typeof named>> {
    const voice = await this.applications.setting(given, given.found, 'idTokenRoleAssertion');
    const where = tokens.length === 0 ? '' : `, only in ${listed(tokens.map((token) => SPOKEN[token]))}`;
    const sentence = `The role ${role} is neither in the ID token nor in the access token${where}. ${voice.says('does not want roles in its tokens')}`;
    return named('not_in_this_token', sentence, { rule: voice.rule, mends: assertionMends(given) });
  }
}

function named(
  code: TokenLink['code'],
  sentence: string,
  more: Partial<TokenLink>,
): [TokenLink['code'], string, Partial<TokenLink>] {
  return [code, sentence, more];
}

function isActive({ state, projectGrantId, projectGrantState }: GrantOfUser): boolean {
  return state === 'active' && (projectGrantId === null || projectGrantState === 'active');
}

function assertionMends({ sight, found }: TokenCase): readonly Mend[] {
  return [
    sight.mend({
      operationId: 'UpdateApplicationV2',
      permission: 'project.app.write',
      parameters: {
        applicationId: found.id,
        oidcConfiguration: { accessTokenRoleAssertion: true, idTokenRoleAssertion: true },
      },
      reach: { orgId: found.orgId, projectId: found.projectId },
    }),
  ];
}
