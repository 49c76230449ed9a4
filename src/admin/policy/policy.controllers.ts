import { Controller, Delete, Get, Post, Put, type Type } from '@nestjs/common';
import type { Details } from '../../foundation/database/recorded.js';
import { policyExists, policyNotFound } from '../../org/policy/policy.errors.js';
import type { FoundPolicy } from '../../org/policy/policy.service.js';
import type { PolicyKind, Settings } from '../../org/policy/policy-kind.js';
import type { Actor } from '../../user/permission/actor.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { INSTANCE, named, ORG } from '../kit/level.js';
import { Operation } from '../kit/operation.js';
import type { Tag } from '../kit/tags.js';
import { DetailsResponse } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import type { MessageClass } from '../kit/wire/field.js';
import { Message } from '../kit/wire/message.js';
import { PolicyOperations } from './policy.operations.js';

/** The change to an owner's policy that a request describes. */
type Change<Request> = (on: PolicyOperations, ownerId: string, request: Request, editorId: string) => Promise<Details>;

/** The facts by which the operations on one kind of policy differ from those on another. */
export interface PolicyFacts<
  Kind extends PolicyKind,
  New extends object,
  Changed extends object,
  Answer extends object,
> {
  readonly kind: Kind;
  readonly tag: Tag;
  /** The noun in operation ids: `GetLockoutPolicy`. */
  readonly noun: string;
  /** The name for people: `the lockout policy`. */
  readonly name: string;
  /** The path below `policies`. */
  readonly path: string;
  /** The path where the reference changes the instance's policy, if it is another one. */
  readonly instancePutPath?: string;
  readonly addRequest: MessageClass<New>;
  readonly toNew: (request: New) => Partial<Settings<Kind>>;
  readonly updateRequest: MessageClass<Changed>;
  /** The message for the instance's policy, if the reference has another one. */
  readonly instanceUpdateRequest?: MessageClass<Changed>;
  readonly toSettings: (request: Changed) => Partial<Settings<Kind>>;
  readonly response: MessageClass<Answer>;
  readonly toAnswer: (found: FoundPolicy<Kind>, on: PolicyOperations) => Answer | Promise<Answer>;
  /** Set if the change takes more than the service of policies. */
  readonly add?: Change<New>;
  readonly update?: Change<Changed>;
  readonly reset?: (on: PolicyOperations, orgId: string, editorId: string) => Promise<Details>;
}

/**
 * The controllers of one kind of policy, that of the instance and that of organizations. The operations are the same
 * for every kind; a kind that can do more has a controller of its own beside these.
 */
export function policyControllers<
  Kind extends PolicyKind,
  New extends object,
  Changed extends object,
  Answer extends object,
>(facts: PolicyFacts<Kind, New, Changed, Answer>): Type[] {
  return [instanceController(facts), orgController(facts)];
}

function instanceController<Kind extends PolicyKind, New extends object, Changed extends object, Answer extends object>(
  facts: PolicyFacts<Kind, New, Changed, Answer>,
): Type {
  const { kind, noun, name, path } = facts;
  const update = updateOf(facts);

  @Tagged(facts.tag)
  @Controller('admin/v1/policies')
  class InstancePolicyController {
    constructor(private readonly on: PolicyOperations) {}

    @Get(path)
    @Requires('iam.policy.read')
    @Operation({ id: `Get${noun}Policy`, summary: `Get the instance's ${name} policy`, returns: facts.response })
    async get(@Asking() _actor: Actor): Promise<Answer> {
      return facts.toAnswer(await this.on.policies.read(kind, await this.on.instanceId()), this.on);
    }

    @Put(facts.instancePutPath ?? path)
    @Requires('iam.policy.write')
    @Operation({
      id: `Update${noun}Policy`,
      summary: `Update the instance's ${name} policy`,
      request: facts.instanceUpdateRequest ?? facts.updateRequest,
      returns: DetailsResponse,
      description: 'Applies to every organization without a policy of its own.',
    })
    async update(@Asking() actor: Actor, @Message() request: Changed): Promise<DetailsResponse> {
      return this.on.change(INSTANCE, actor, (ownerId, editorId) => update(this.on, ownerId, request, editorId));
    }
  }
  return named(INSTANCE, `${noun}Policy`, InstancePolicyController);
}

function orgController<Kind extends PolicyKind, New extends object, Changed extends object, Answer extends object>(
  facts: PolicyFacts<Kind, New, Changed, Answer>,
): Type {
  const { kind, noun, name, path } = facts;
  const update = updateOf(facts);
  const add: Change<New> =
    facts.add ?? ((on, orgId, request, editorId) => on.managed.add(kind, orgId, facts.toNew(request), editorId));
  const reset = facts.reset ?? ((on, orgId, editorId) => on.managed.reset(kind, orgId, editorId));

  @Tagged(facts.tag)
  @Controller('management/v1/policies')
  @ORG.documentation
  class OrgPolicyController {
    constructor(private readonly on: PolicyOperations) {}

    @Get(path)
    @Requires('policy.read')
    @Operation({
      id: `Get${noun}PolicyOfOrg`,
      summary: `Get the organization's effective ${name} policy`,
      returns: facts.response,
      description: "Returns the organization's own policy, or else the instance's, with isDefault set to true.",
    })
    async get(@Asking() actor: Actor): Promise<Answer> {
      return facts.toAnswer(await this.on.policies.read(kind, actor.orgId), this.on);
    }

    @Get(`default/${path}`)
    @Requires('policy.read')
    @Operation({
      id: `GetDefault${noun}Policy`,
      summary: `Get the default ${name} policy for organizations without their own`,
      returns: facts.response,
    })
    async getDefault(@Asking() _actor: Actor): Promise<Answer> {
      return facts.toAnswer(await this.on.policies.read(kind, await this.on.instanceId()), this.on);
    }

    @Post(path)
    @Requires('policy.write')
    @Operation({
      id: `AddCustom${noun}Policy`,
      summary: `Add a custom ${name} policy to the organization`,
      request: facts.addRequest,
      sets: true,
      returns: DetailsResponse,
      refuses: [policyExists(kind)],
    })
    async add(@Asking() actor: Actor, @Message() request: New): Promise<DetailsResponse> {
      return this.on.change(ORG, actor, (orgId, editorId) => add(this.on, orgId, request, editorId));
    }

    @Put(path)
    @Requires('policy.write')
    @Operation({
      id: `UpdateCustom${noun}Policy`,
      summary: `Update the organization's custom ${name} policy`,
      request: facts.updateRequest,
      returns: DetailsResponse,
      refuses: [policyNotFound(kind)],
    })
    async update(@Asking() actor: Actor, @Message() request: Changed): Promise<DetailsResponse> {
      return this.on.change(ORG, actor, (orgId, editorId) => update(this.on, orgId, request, editorId));
    }

    @Delete(path)
    @Requires('policy.delete')
    @Operation({
      id: `Reset${noun}PolicyToDefault`,
      summary: `Reset the organization to the instance's ${name} policy`,
      returns: DetailsResponse,
      refuses: [policyNotFound(kind)],
      description: "From then on, the instance's policy applies.",
    })
    async reset(@Asking() actor: Actor): Promise<DetailsResponse> {
      return this.on.change(ORG, actor, (orgId, editorId) => reset(this.on, orgId, editorId));
    }
  }
  return named(ORG, `${noun}Policy`, OrgPolicyController);
}

function updateOf<Kind extends PolicyKind, New extends object, Changed extends object, Answer extends object>({
  kind,
  update,
  toSettings,
}: PolicyFacts<Kind, New, Changed, Answer>): Change<Changed> {
  return (
    update ?? ((on, ownerId, request, editorId) => on.managed.update(kind, ownerId, toSettings(request), editorId))
  );
}
