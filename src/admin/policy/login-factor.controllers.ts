import { Controller, Delete, Post, type Type } from '@nestjs/common';
import { Clock } from '../../foundation/time/clock.js';
import type { LoginFactors } from '../../org/policy/login-factor.service.js';
import { policyFactorExists, policyFactorNotFound, policyNotFound } from '../../org/policy/policy.errors.js';
import type { Actor } from '../../user/permission/actor.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { LEVELS, type Level, named, ORG, operationIdAt } from '../kit/level.js';
import { Operation } from '../kit/operation.js';
import type { Tag } from '../kit/tags.js';
import { DetailsResponse } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import type { MessageClass } from '../kit/wire/field.js';
import { type ListDetails, toWholeListDetails } from '../kit/wire/list.dto.js';
import { Message } from '../kit/wire/message.js';
import {
  MultiFactorRequest,
  MultiFactorsResponse,
  SecondFactorRequest,
  SecondFactorsResponse,
} from './login-policy.dto.js';
import { PolicyOperations } from './policy.operations.js';

const TAG = 'Login policy' satisfies Tag;

interface FactorList<Kind extends keyof LoginFactors> {
  /** The list of the policy that the factors are on. */
  readonly kind: Kind;
  readonly path: string;
  /** The noun in operation ids: `AddSecondFactorToLoginPolicy`. */
  readonly noun: string;
  /** The name in summaries: `a second factor`. */
  readonly name: string;
  readonly request: MessageClass<{ readonly type: LoginFactors[Kind] | 'unspecified' }>;
  readonly response: MessageClass<FactorsResponse<Kind>>;
}

/** `SecondFactorsResponse` or `MultiFactorsResponse`. */
interface FactorsResponse<Kind extends keyof LoginFactors> {
  readonly details: ListDetails;
  readonly result: ReadonlyArray<LoginFactors[Kind] | 'unspecified'>;
}

const SECOND: FactorList<'secondFactors'> = {
  kind: 'secondFactors',
  path: 'second_factors',
  noun: 'SecondFactor',
  name: 'second factor',
  request: SecondFactorRequest,
  response: SecondFactorsResponse,
};

const MULTI: FactorList<'multiFactors'> = {
  kind: 'multiFactors',
  path: 'multi_factors',
  noun: 'MultiFactor',
  name: 'multi-factor',
  request: MultiFactorRequest,
  response: MultiFactorsResponse,
};

function loginFactorController<Kind extends keyof LoginFactors>(level: Level, list: FactorList<Kind>): Type {
  const { kind, path, noun, name, request } = list;
  /** An organization may have no policy of its own to change; the instance always has one. */
  const missing = level.isOrg ? [policyNotFound('login')] : [];
  type Request = InstanceType<typeof request>;

  @Tagged(TAG)
  @Controller(`${level.prefix}/policies/login/${path}`)
  @level.documentation
  class LoginFactorController {
    constructor(
      private readonly on: PolicyOperations,
      private readonly clock: Clock,
    ) {}

    @Post('_search')
    @Requires(level.permissions.readPolicy)
    @Operation({
      id: operationIdAt(level, `ListLoginPolicy${noun}s`),
      summary: `List the ${name}s of ${level.owner}'s login policy`,
      returns: list.response,
    })
    async list(@Asking() actor: Actor): Promise<FactorsResponse<Kind>> {
      return listFactors(this.on, kind, await this.on.ownerId(level, actor), this.clock.now());
    }

    @Post()
    @Requires(level.permissions.writePolicy)
    @Operation({
      id: operationIdAt(level, `Add${noun}ToLoginPolicy`),
      summary: `Add a ${name} to ${level.owner}'s login policy`,
      request,
      returns: DetailsResponse,
      refuses: [...missing, policyFactorExists()],
    })
    async add(@Asking() actor: Actor, @Message() { type }: Request): Promise<DetailsResponse> {
      return this.on.change(level, actor, (ownerId, editorId) =>
        this.on.factors.add(ownerId, kind, type as LoginFactors[Kind], editorId),
      );
    }

    @Delete(':type')
    @Requires(level.permissions.writePolicy)
    @Operation({
      id: operationIdAt(level, `Remove${noun}FromLoginPolicy`),
      summary: `Remove a ${name} from ${level.owner}'s login policy`,
      request,
      returns: DetailsResponse,
      refuses: [...missing, policyFactorNotFound()],
    })
    async remove(@Asking() actor: Actor, @Message() { type }: Request): Promise<DetailsResponse> {
      return this.on.change(level, actor, (ownerId, editorId) =>
        this.on.factors.remove(ownerId, kind, type as LoginFactors[Kind], editorId),
      );
    }
  }
  return named(level, noun, LoginFactorController);
}

@Tagged(TAG)
@Controller('management/v1/policies/login')
@ORG.documentation
class OrgAuthFactorController {
  constructor(
    private readonly on: PolicyOperations,
    private readonly clock: Clock,
  ) {}

  @Post('auth_factors/_search')
  @Requires('policy.read')
  @Operation({
    id: 'ListLoginPolicyAuthFactors',
    binds: 'ListLoginPolicyMultiFactorsOfOrg',
    summary: "List the multi-factors of the organization's login policy",
    returns: MultiFactorsResponse,
    description: 'Same as `ListLoginPolicyMultiFactorsOfOrg`, at the path that clients of other services use.',
  })
  async list(@Asking() actor: Actor): Promise<MultiFactorsResponse> {
    return listFactors(this.on, 'multiFactors', actor.orgId, this.clock.now());
  }
}

type FactorLists = { readonly [Kind in keyof LoginFactors]: ReadonlyArray<LoginFactors[Kind]> };

async function listFactors<Kind extends keyof LoginFactors>(
  on: PolicyOperations,
  kind: Kind,
  ownerId: string,
  now: Date,
): Promise<FactorsResponse<Kind>> {
  const { policy } = await on.policies.read('login', ownerId);
  const lists: FactorLists = policy;
  return { details: toWholeListDetails(lists[kind].length, now), result: lists[kind] };
}

/** The factors of a login policy: a class for each list and level. */
export const loginFactorControllers: readonly Type[] = [
  ...LEVELS.flatMap((level) => [loginFactorController(level, SECOND), loginFactorController(level, MULTI)]),
  OrgAuthFactorController,
];
