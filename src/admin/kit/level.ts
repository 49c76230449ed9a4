import { applyDecorators, type Type } from '@nestjs/common';
import type { InstanceService } from '../../org/instance/instance.service.js';
import type { Actor } from '../../user/permission/actor.js';
import type { Permission } from '../../user/permission/role.js';
import { OfOrg } from './operation.js';

/**
 * The instance and organizations both have policies, texts, identity providers and webhooks, with the same operations
 * on them: those of the instance below `admin/v1`, those of an organization below `management/v1`. All that is
 * different is written here, and a controller is a class that is made once per level: `LEVELS.map(thingController)`.
 * What exists at one level only is a controller of its own beside it.
 */
export interface Level {
  readonly name: 'instance' | 'org';
  readonly isOrg: boolean;
  readonly prefix: 'admin/v1' | 'management/v1';
  /** The owner, as summaries of operations name it. */
  readonly owner: 'the instance' | 'the organization';
  /** Texts need the permissions of policies. */
  readonly permissions: Readonly<
    Record<
      'readPolicy' | 'writePolicy' | 'removePolicy' | 'readIdp' | 'writeIdp' | 'readWebhook' | 'writeWebhook',
      Permission
    >
  >;
  /** What the documentation says about every operation of the level. */
  readonly documentation: ClassDecorator;
  /** The owner of what the operation is about: the instance, or the organization that the caller chose. */
  readonly ownerId: (actor: Actor, instances: InstanceService) => Promise<string>;
}

export const INSTANCE: Level = {
  name: 'instance',
  isOrg: false,
  prefix: 'admin/v1',
  owner: 'the instance',
  permissions: {
    readPolicy: 'iam.policy.read',
    writePolicy: 'iam.policy.write',
    removePolicy: 'iam.policy.delete',
    readIdp: 'iam.idp.read',
    writeIdp: 'iam.idp.write',
    readWebhook: 'iam.webhook.read',
    writeWebhook: 'iam.webhook.write',
  },
  documentation: applyDecorators(),
  ownerId: async (_actor, instances) => (await instances.get()).id,
};

export const ORG: Level = {
  name: 'org',
  isOrg: true,
  prefix: 'management/v1',
  owner: 'the organization',
  permissions: {
    readPolicy: 'policy.read',
    writePolicy: 'policy.write',
    removePolicy: 'policy.delete',
    readIdp: 'org.idp.read',
    writeIdp: 'org.idp.write',
    readWebhook: 'org.webhook.read',
    writeWebhook: 'org.webhook.write',
  },
  documentation: OfOrg(),
  ownerId: async (actor) => actor.orgId,
};

export const LEVELS: readonly Level[] = [INSTANCE, ORG];

/** Operations of both levels have the same name in their gRPC services, but one document names each once. */
export function operationIdAt(level: Level, name: string): string {
  return level.isOrg ? `${name}OfOrg` : name;
}

/** Gives a class the name by which lists of routes and stack traces call it: `OrgLabelImageController`. */
export function named(level: Level, noun: string, controller: Type): Type {
  Object.defineProperty(controller, 'name', { value: `${level.isOrg ? 'Org' : 'Instance'}${noun}Controller` });
  return controller;
}
