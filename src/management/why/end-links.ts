import { Injectable } from '@nestjs/common';
import type { Client } from '../../project/client/client.js';
import { ProjectGrantDirectory, type ProjectGrantEntry } from '../../project/project-grant-directory.js';
import { UserGrantService } from '../../project/user-grant/user-grant.service.js';
import type { Decided } from '../../session/auth-request/sign-in-decision.js';
import { ApplicationLinks, type ExplainedApplication } from './application-links.js';
import type { Case } from './case.js';
import { type Link, link, type Mend, type Rule } from './link.js';
import { secondFactorMends } from './policy-mends.js';
import type { Journey } from './step-links.js';
import type { Voice } from './wording.js';

/** What a sign-in ends with that no page can change. */
@Injectable()
export class EndLinks {
  constructor(
    private readonly applications: ApplicationLinks,
    private readonly grants: UserGrantService,
    private readonly projectGrants: ProjectGrantDirectory,
  ) {}

  /** Nothing if the application gets its answer. */
  async of(given: Case, journey: Journey, decided: Decided): Promise<Link[]> {
    switch (decided.kind) {
      case 'ready':
        return this.roleCheck(given, journey);
      case 'acr-unmet':
        return [await this.acrUnmet(given)];
      case 'wrong-user': {
        const sentence = `The application asks for another user than ${given.name}.`;
        return [link({ code: 'other_user', effect: 'refuses', sentence })];
      }
      case 'not-admitted':
        return [decided.by === undefined ? await this.notGranted(given, journey) : refusedBy(given, decided.by)];
      case 'step':
        return [];
    }
  }

  private async acrUnmet(given: Case): Promise<Link> {
    const { sight, user, name, rules } = given;
    const login = await rules.policy('login', user.orgId);
    const voice = await rules.voice('login', user.orgId, 'secondFactors');
    const demand = given.asked.isSecondFactorDemanded
      ? 'The application demands two factors by its request.'
      : 'An extension requires a second factor.';
    return link({
      code: 'second_factor_unavailable',
      effect: 'refuses',
      sentence: `${demand} ${voice.says(`lists none that ${name} could set up`)}`,
      rule: voice.rule,
      mends: secondFactorMends(sight, login, user.orgId),
    });
  }

  private async notGranted(given: Case, { application }: Journey): Promise<Link> {
    const { sight, user, org } = given;
    const { voice, grant } = await this.projectOf(given, application, 'hasProjectCheck');
    const permission = 'project.grant.write';
    const projectId = application.client?.project.id ?? '';
    const reach = { orgId: application.client?.project.orgId ?? '', projectId };
    const isOff = grant?.state === 'inactive';
    const rest = isOff ? `The grant to ${org} is inactive.` : `It is not granted to ${org}.`;
    const remedy = isOff
      ? { operationId: 'ReactivateProjectGrant', parameters: { projectId, grantId: grant.id } }
      : { operationId: 'AddProjectGrant', parameters: { projectId, grantedOrgId: user.orgId, roleKeys: [] } };
    const open = { operationId: 'UpdateProjectV2', parameters: { projectId, projectAccessRequired: false } };
    const sentence = voice.says('admits only users of its own organization and of those that it is granted to');
    return link({
      code: 'project_not_granted',
      effect: 'refuses',
      sentence: voice.rule ? `${sentence} ${rest}` : sentence,
      rule: voice.rule,
      mends: voice.rule
        ? [sight.mend({ ...remedy, permission, reach }), sight.mend({ ...open, permission: 'project.write', reach })]
        : [],
    });
  }

  /** What the authorization endpoint asks before an application is answered. */
  private async roleCheck(given: Case, { application }: Journey): Promise<Link[]> {
    const { client } = application;
    const { user, name } = given;
    if (!client?.project.projectRoleCheck) return [];
    if (await this.grants.holdsRole(user.id, client.project.id)) return [];
    const { voice, grant } = await this.projectOf(given, application, 'projectRoleCheck');
    const sentence = voice.says('admits only users who have one of its roles');
    return [
      link({
        code: 'role_missing',
        effect: 'refuses',
        sentence: voice.rule ? `${sentence} ${name} has none.` : sentence,
        rule: voice.rule,
        mends: voice.rule ? await this.roleMends(given, client, grant) : [],
      }),
    ];
  }

  private async roleMends(
    { sight, user }: Case,
    { project }: Client,
    grant: ProjectGrantEntry | undefined,
  ): Promise<Mend[]> {
    const { id: projectId, orgId: ownerId } = project;
    const permission = 'user.grant.write';
    const held = await this.grants.allOf(user.id, projectId);
    const inactive = held.find(({ state, groupId }) => state === 'inactive' && groupId === null);
    const open = sight.mend({
      operationId: 'UpdateProjectV2',
      permission: 'project.write',
      parameters: { projectId, authorizationRequired: false },
      reach: { orgId: ownerId, projectId },
    });
    if (inactive) {
      const parameters = { userId: user.id, grantId: inactive.id };
      const reach = { orgId: inactive.orgId, projectId };
      return [sight.mend({ operationId: 'ReactivateUserGrant', permission, parameters, reach }), open];
    }
    // Whose users they are grants the roles: the owner of the project its own, and others by the grant that they have.
    const byGrant = ownerId !== user.orgId && grant?.state === 'active' ? grant : undefined;
    const roleKeys = (byGrant ?? project).roleKeys.slice(0, 1);
    if (roleKeys.length === 0) return [open];
    const parameters = { userId: user.id, projectId, ...(byGrant ? { projectGrantId: byGrant.id } : {}), roleKeys };
    const reach = byGrant ? { orgId: user.orgId, grantId: byGrant.id } : { orgId: ownerId, projectId };
    return [sight.mend({ operationId: 'AddUserGrant', permission, parameters, reach }), open];
  }

  /** The project as its managers see it, or else as those of an organization that it is granted to. */
  private async projectOf(
    given: Case,
    { client, found }: ExplainedApplication,
    setting: string,
  ): Promise<{ readonly voice: Voice; readonly grant: ProjectGrantEntry | undefined }> {
    const { sight, user, org } = given;
    const projectId = client?.project.id ?? '';
    const [grant] = await this.projectGrants.listTo(user.orgId, [projectId]);
    const voice = await this.applications.projectSetting(given, found, setting);
    if (voice.rule || !grant || !sight.may('project.read', { orgId: user.orgId, grantId: grant.id }))
      return { voice, grant };
    const { projectName } = grant;
    const rule: Rule = {
      name: 'project',
      setting,
      ownerType: 'project',
      ownerId: projectId,
      ownerName: projectName,
      changedById: '',
      changedByName: '',
      isDefault: false,
    };
    const says = (predicate: string): string => `Project ${projectName}, which is granted to ${org}, ${predicate}.`;
    return { voice: { rule, says }, grant };
  }
}

function refusedBy({ name, asked }: Case, step: string): Link {
  const from = asked.network === '' ? ', from a network that it does not know' : ` from the network ${asked.network}`;
  const [, extension = '', part = ''] = step.split('/');
  return link({
    code: 'extension_refuses',
    effect: 'refuses',
    step,
    sentence: `The extension ${extension} refuses ${name} with its step ${part}${from}. Ask whoever operates it.`,
    rule: {
      name: part,
      setting: '',
      ownerType: 'extension',
      ownerId: extension,
      ownerName: extension,
      changedById: '',
      changedByName: '',
      isDefault: false,
    },
  });
}
