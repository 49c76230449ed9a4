import { Controller, Delete, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Clock } from '../../foundation/time/clock.js';
import type { Actor } from '../../permission/actor.js';
import type { MultiFactor, SecondFactor } from '../../policy/login-policy.entity.js';
import { factorExists, factorNotFound, policyNotFound } from '../../policy/policy.errors.js';
import { Asking } from '../guard/asking.js';
import { Requires } from '../guard/requires.js';
import { OfOrg, Operation } from '../operation.js';
import type { Tag } from '../tags.js';
import { DetailsResponse } from '../wire/details.dto.js';
import { toWholeListDetails } from '../wire/list.dto.js';
import { Message } from '../wire/message.js';
import {
  MultiFactorRequest,
  MultiFactorsResponse,
  SecondFactorRequest,
  SecondFactorsResponse,
} from './login-policy.dto.js';
import { PolicyOperations } from './policy.operations.js';

/** The factors of the instance's login policy. */
@ApiTags('Login policy' satisfies Tag)
@Controller('admin/v1/policies/login')
export class InstanceLoginFactorController {
  constructor(
    private readonly on: PolicyOperations,
    private readonly clock: Clock,
  ) {}

  @Post('second_factors/_search')
  @Requires('iam.policy.read')
  @Operation({
    id: 'ListLoginPolicySecondFactors',
    summary: "List the second factors of the instance's login policy",
    returns: SecondFactorsResponse,
  })
  async listSecond(@Asking() _actor: Actor): Promise<SecondFactorsResponse> {
    const { policy } = await this.on.policies.read('login', await this.on.instanceId());
    return { details: toWholeListDetails(policy.secondFactors.length, this.clock.now()), result: policy.secondFactors };
  }

  @Post('second_factors')
  @Requires('iam.policy.write')
  @Operation({
    id: 'AddSecondFactorToLoginPolicy',
    summary: "Add a second factor to the instance's login policy",
    request: SecondFactorRequest,
    returns: DetailsResponse,
    refuses: [factorExists()],
  })
  async addSecond(@Asking() actor: Actor, @Message() { type }: SecondFactorRequest): Promise<DetailsResponse> {
    return this.on.ofInstance(actor, (tx, owner, editor) =>
      this.on.factors.add(tx, owner, 'secondFactors', type as SecondFactor, editor),
    );
  }

  @Delete('second_factors/:type')
  @Requires('iam.policy.write')
  @Operation({
    id: 'RemoveSecondFactorFromLoginPolicy',
    summary: "Remove a second factor from the instance's login policy",
    request: SecondFactorRequest,
    returns: DetailsResponse,
    refuses: [factorNotFound()],
  })
  async removeSecond(@Asking() actor: Actor, @Message() { type }: SecondFactorRequest): Promise<DetailsResponse> {
    return this.on.ofInstance(actor, (tx, owner, editor) =>
      this.on.factors.remove(tx, owner, 'secondFactors', type as SecondFactor, editor),
    );
  }

  @Post('multi_factors/_search')
  @Requires('iam.policy.read')
  @Operation({
    id: 'ListLoginPolicyMultiFactors',
    summary: "List the multi-factors of the instance's login policy",
    returns: MultiFactorsResponse,
  })
  async listMulti(@Asking() _actor: Actor): Promise<MultiFactorsResponse> {
    const { policy } = await this.on.policies.read('login', await this.on.instanceId());
    return { details: toWholeListDetails(policy.multiFactors.length, this.clock.now()), result: policy.multiFactors };
  }

  @Post('multi_factors')
  @Requires('iam.policy.write')
  @Operation({
    id: 'AddMultiFactorToLoginPolicy',
    summary: "Add a multi-factor to the instance's login policy",
    request: MultiFactorRequest,
    returns: DetailsResponse,
    refuses: [factorExists()],
  })
  async addMulti(@Asking() actor: Actor, @Message() { type }: MultiFactorRequest): Promise<DetailsResponse> {
    return this.on.ofInstance(actor, (tx, owner, editor) =>
      this.on.factors.add(tx, owner, 'multiFactors', type as MultiFactor, editor),
    );
  }

  @Delete('multi_factors/:type')
  @Requires('iam.policy.write')
  @Operation({
    id: 'RemoveMultiFactorFromLoginPolicy',
    summary: "Remove a multi-factor from the instance's login policy",
    request: MultiFactorRequest,
    returns: DetailsResponse,
    refuses: [factorNotFound()],
  })
  async removeMulti(@Asking() actor: Actor, @Message() { type }: MultiFactorRequest): Promise<DetailsResponse> {
    return this.on.ofInstance(actor, (tx, owner, editor) =>
      this.on.factors.remove(tx, owner, 'multiFactors', type as MultiFactor, editor),
    );
  }
}

/** Those of an organization; changed where it has a login policy of its own. */
@ApiTags('Login policy' satisfies Tag)
@Controller('management/v1/policies/login')
@OfOrg()
export class OrgLoginFactorController {
  constructor(
    private readonly on: PolicyOperations,
    private readonly clock: Clock,
  ) {}

  @Post('second_factors/_search')
  @Requires('policy.read')
  @Operation({
    id: 'ListLoginPolicySecondFactorsOfOrg',
    summary: "List the second factors of the organization's login policy",
    returns: SecondFactorsResponse,
  })
  async listSecond(@Asking() actor: Actor): Promise<SecondFactorsResponse> {
    const { policy } = await this.on.policies.read('login', actor.orgId);
    return { details: toWholeListDetails(policy.secondFactors.length, this.clock.now()), result: policy.secondFactors };
  }

  @Post('second_factors')
  @Requires('policy.write')
  @Operation({
    id: 'AddSecondFactorToLoginPolicyOfOrg',
    summary: "Add a second factor to the organization's login policy",
    request: SecondFactorRequest,
    returns: DetailsResponse,
    refuses: [policyNotFound('login'), factorExists()],
  })
  async addSecond(@Asking() actor: Actor, @Message() { type }: SecondFactorRequest): Promise<DetailsResponse> {
    return this.on.ofOrg(actor, (tx, owner, editor) =>
      this.on.factors.add(tx, owner, 'secondFactors', type as SecondFactor, editor),
    );
  }

  @Delete('second_factors/:type')
  @Requires('policy.write')
  @Operation({
    id: 'RemoveSecondFactorFromLoginPolicyOfOrg',
    summary: "Remove a second factor from the organization's login policy",
    request: SecondFactorRequest,
    returns: DetailsResponse,
    refuses: [policyNotFound('login'), factorNotFound()],
  })
  async removeSecond(@Asking() actor: Actor, @Message() { type }: SecondFactorRequest): Promise<DetailsResponse> {
    return this.on.ofOrg(actor, (tx, owner, editor) =>
      this.on.factors.remove(tx, owner, 'secondFactors', type as SecondFactor, editor),
    );
  }

  @Post('multi_factors/_search')
  @Requires('policy.read')
  @Operation({
    id: 'ListLoginPolicyMultiFactorsOfOrg',
    summary: "List the multi-factors of the organization's login policy",
    returns: MultiFactorsResponse,
  })
  async listMulti(@Asking() actor: Actor): Promise<MultiFactorsResponse> {
    const { policy } = await this.on.policies.read('login', actor.orgId);
    return { details: toWholeListDetails(policy.multiFactors.length, this.clock.now()), result: policy.multiFactors };
  }

  @Post('auth_factors/_search')
  @Requires('policy.read')
  @Operation({
    id: 'ListLoginPolicyAuthFactors',
    binds: 'ListLoginPolicyMultiFactorsOfOrg',
    summary: "List the multi-factors of the organization's login policy",
    returns: MultiFactorsResponse,
    description: 'Same as `ListLoginPolicyMultiFactorsOfOrg`, at the path that clients of other services use.',
  })
  async listAuth(@Asking() actor: Actor): Promise<MultiFactorsResponse> {
    return this.listMulti(actor);
  }

  @Post('multi_factors')
  @Requires('policy.write')
  @Operation({
    id: 'AddMultiFactorToLoginPolicyOfOrg',
    summary: "Add a multi-factor to the organization's login policy",
    request: MultiFactorRequest,
    returns: DetailsResponse,
    refuses: [policyNotFound('login'), factorExists()],
  })
  async addMulti(@Asking() actor: Actor, @Message() { type }: MultiFactorRequest): Promise<DetailsResponse> {
    return this.on.ofOrg(actor, (tx, owner, editor) =>
      this.on.factors.add(tx, owner, 'multiFactors', type as MultiFactor, editor),
    );
  }

  @Delete('multi_factors/:type')
  @Requires('policy.write')
  @Operation({
    id: 'RemoveMultiFactorFromLoginPolicyOfOrg',
    summary: "Remove a multi-factor from the organization's login policy",
    request: MultiFactorRequest,
    returns: DetailsResponse,
    refuses: [policyNotFound('login'), factorNotFound()],
  })
  async removeMulti(@Asking() actor: Actor, @Message() { type }: MultiFactorRequest): Promise<DetailsResponse> {
    return this.on.ofOrg(actor, (tx, owner, editor) =>
      this.on.factors.remove(tx, owner, 'multiFactors', type as MultiFactor, editor),
    );
  }
}
