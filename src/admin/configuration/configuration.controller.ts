import { Controller, Get, Post } from '@nestjs/common';
import type { Actor } from '../../user/permission/actor.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { OfOrg, Operation } from '../kit/operation.js';
import { Tagged } from '../kit/wire/documentation.js';
import { Message } from '../kit/wire/message.js';
import {
  ApplyConfigurationRequest,
  ApplyConfigurationResponse,
  GetAppliedConfigurationRequest,
  GetAppliedConfigurationResponse,
  GetConfigurationSchemaResponse,
  PlanConfigurationRequest,
  PlanConfigurationResponse,
  PullConfigurationRequest,
  PullConfigurationResponse,
} from './configuration.dto.js';
import {
  appliedNotFound,
  orgUnknown,
  planStale,
  tooManyAtOnce,
  tooManyOrgs,
  undoNotKept,
} from './configuration.errors.js';
import { toOutcomeAnswer, toPlanAnswer } from './configuration.mapping.js';
import { ConfigurationSchema } from './configuration-schema.js';
import { Configurations, MAX_ORGS } from './configurations.js';

const RIGHTS =
  'Each part needs the permissions of the operations that read and set it, in its organization; the command `gatehouse` uses this for files.';

/**
 * The configuration of the instance and of organizations as one document. The organization of the header is the one
 * that callers who do not read all of them may name.
 */
@Tagged('Configuration')
@Controller('management/v1/configuration')
@OfOrg()
export class ConfigurationController {
  constructor(
    private readonly configurations: Configurations,
    private readonly schema: ConfigurationSchema,
  ) {}

  @Post('_pull')
  @Requires('org.read', { named: true, others: ['iam.read'] })
  @Operation({
    id: 'PullConfiguration',
    summary: 'Get the configuration as one document',
    description: `Policies, texts, identity providers, projects with their roles, applications and grants, groups, webhooks, mail servers and managers, by their names. Secrets and people are not among it. ${RIGHTS}`,
    request: PullConfigurationRequest,
    returns: PullConfigurationResponse,
    refuses: [orgUnknown('Acme'), tooManyOrgs(MAX_ORGS), tooManyAtOnce()],
  })
  async pull(
    @Asking() actor: Actor,
    @Message() { organizations, withoutInstance, withoutOrganizations, without }: PullConfigurationRequest,
  ): Promise<PullConfigurationResponse> {
    const named = organizations.length > 0 ? organizations : 'all';
    return this.configurations.pull(actor, {
      instance: !withoutInstance,
      orgs: withoutOrganizations ? [] : named,
      without,
    });
  }

  @Post('_plan')
  @Requires('org.read', { named: true, others: ['iam.read'] })
  @Operation({
    id: 'PlanConfiguration',
    summary: 'See what a configuration would change',
    description: `Applies it in a transaction of which nothing is kept: what the answer names is what would be done, and refused, with what it does to people. ${RIGHTS}`,
    request: PlanConfigurationRequest,
    returns: PlanConfigurationResponse,
    refuses: [tooManyAtOnce()],
  })
  async plan(
    @Asking() actor: Actor,
    @Message() { configuration, prune, secrets, compareOnly }: PlanConfigurationRequest,
  ): Promise<PlanConfigurationResponse> {
    const options = { prunes: prune, setsSecrets: secrets, onlyCompares: compareOnly };
    return toPlanAnswer(await this.configurations.plan(actor, configuration, options));
  }

  @Post('_apply')
  @Requires('org.write', { named: true, others: ['iam.write'] })
  @Operation({
    id: 'ApplyConfiguration',
    summary: 'Apply a configuration',
    description: `All of it in one transaction, or nothing. With the fingerprint of a plan it is refused if anything else would be done by now. ${RIGHTS}`,
    request: ApplyConfigurationRequest,
    returns: ApplyConfigurationResponse,
    refuses: [planStale(), tooManyAtOnce()],
  })
  async apply(
    @Asking() actor: Actor,
    @Message() { configuration, prune, secrets, fingerprint, reason, commit }: ApplyConfigurationRequest,
  ): Promise<ApplyConfigurationResponse> {
    const options = { prunes: prune, setsSecrets: secrets };
    const outcome = await this.configurations.apply(actor, configuration, options, fingerprint, { reason, commit });
    return toOutcomeAnswer(outcome);
  }

  @Get('applied/:position')
  @Requires('org.read', { named: true, others: ['iam.read'] })
  @Operation({
    id: 'GetAppliedConfiguration',
    summary: 'Get an applied configuration, and what takes it back',
    description:
      'By the position of its event. What was about one organization needs `org.write` and `org.member.write` there, all else `iam.write` and `iam.member.write`.',
    request: GetAppliedConfigurationRequest,
    returns: GetAppliedConfigurationResponse,
    refuses: [appliedNotFound(), undoNotKept()],
  })
  async applied(
    @Asking() actor: Actor,
    @Message() { position }: GetAppliedConfigurationRequest,
  ): Promise<GetAppliedConfigurationResponse> {
    const { editorId, at, reason, commit, undo } = await this.configurations.applied(actor, position);
    return { editorUserId: editorId, creationDate: at, reason, commit, undo };
  }

  @Get('schema')
  @Requires('org.read', { named: true, others: ['iam.read'] })
  @Operation({
    id: 'GetConfigurationSchema',
    summary: 'Get the JSON schema of configurations',
    description: 'For editors, which complete and check files with it.',
    returns: GetConfigurationSchemaResponse,
  })
  async getSchema(@Asking() _actor: Actor): Promise<GetConfigurationSchemaResponse> {
    return { schema: this.schema.document };
  }
}
