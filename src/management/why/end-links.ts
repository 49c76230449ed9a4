import { Injectable } from '@nestjs/common';
import { ProjectDirectory } from '../../project/project-directory.js';
import { UserGrantService } from '../../project/user-grant/user-grant.service.js';
import type { Decided } from '../../session/auth-request/sign-in-decision.js';
import { ApplicationLinks } from './application-links.js';
import type { Case } from './case.js';
import { type Link, link, type Mend } from './link.js';
import { secondFactorMends } from './policy-mends.js';
import { Rules } from './rules.js';
import type { Journey } from './step-links.js';

/** What a sign-in ends with that no page can change. */
@Injectable()
export class EndLinks {
  constructor(
    private readonly rules: Rules,
    private readonly applications: ApplicationLinks,
    private readonly grants: UserGrantService,
    private readonly projects: ProjectDirectory,
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
    const { sight, user, name } = given;
    const rule = await this.rules.policy(sight, 'login', user.orgId, 'secondFactors');
    const demand = given.asked.isSecondFactorDemanded
      ? 'The application demands two factors by its request.'
      : 'An extension requires a second factor.';
    return link({
      code: 'second_factor_unavailable',
      effect: 'refuses',
      sentence: `${demand} ${rule.voice.says(`lists none that ${name} could set up`)}`,
      rule: rule.voice.rule,
      mends: secondFactorMends(sight, rule, user.orgId),
    });
  }

  private async notGranted(given: Case, { application: { found } }: Journey): Promise<Link> {
    const { sight, user, org } = given;
    const voice = await this.applications.projectSetting(sight, found, 'hasProjectCheck');
    const rest = voice.rule ? ` It is not granted to ${org}.` : '';
    const sentence = `${voice.says('admits only users of its own organization and of those that it is granted to')}${rest}`;
    return link({
      code: 'project_not_granted',
      effect: 'refuses',
      sentence,
      rule: voice.rule,
      mends:
        found && voice.rule
          ? [
              sight.mend({
                operationId: 'AddProjectGrant',
                permission: 'project.grant.write',
                parameters: { projectId: found.projectId, grantedOrgId: user.orgId, roleKeys: [] },
                reach: { orgId: found.orgId, projectId: found.projectId },
              }),
            ]
          : [],
    });
  }

  /** The same question as at the authorization endpoint, before an application is answered. */
  private async roleCheck(given: Case, { application: { client, found } }: Journey): Promise<Link[]> {
    const { sight, user, name } = given;
    if (!client?.project.projectRoleCheck) return [];
    const { id: projectId, orgId, roleKeys } = client.project;
    if (await this.grants.holdsRole(user.id, projectId)) return [];
    const voice = await this.applications.projectSetting(sight, found, 'projectRoleCheck');
    const rest = voice.rule ? ` ${name} has none.` : '';
    const reach = { orgId, projectId };
    const isOwn = orgId === user.orgId;
    const mends: Mend[] = [];
    if (voice.rule) {
      const inactive = (await this.grants.allOf(user.id, projectId)).find(
        (grant) => grant.state === 'inactive' && grant.groupId === null,
      );
      if (inactive)
        mends.push(
          sight.mend({
            operationId: 'ReactivateUserGrant',
            permission: 'user.grant.write',
            parameters: { userId: user.id, grantId: inactive.id },
            reach: { ...reach, orgId: inactive.orgId },
          }),
        );
      else if (isOwn || sight.may('user.read', { orgId: user.orgId }))
        mends.push(
          sight.mend({
            operationId: 'AddUserGrant',
            permission: 'user.grant.write',
            parameters: { userId: user.id, projectId, roleKeys: roleKeys.slice(0, 1) },
            reach,
          }),
        );
    }
    const sentence = `${voice.says('admits only users who have one of its roles')}${rest}`;
    return [link({ code: 'role_missing', effect: 'refuses', sentence, rule: voice.rule, mends })];
  }
}

function refusedBy({ name }: Case, step: string): Link {
  const [, extension = '', part = ''] = step.split('/');
  return link({
    code: 'extension_refuses',
    effect: 'refuses',
    step,
    sentence: `The extension ${extension} refuses ${name} with its step ${part}. Ask whoever operates it.`,
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
