import { applyDecorators } from '@nestjs/common';
import type { Instance } from '../../instance/instance.entity.js';
import type { Actor } from '../../permission/actor.js';
import type { Permission } from '../../permission/role.js';
import { OfOrg } from '../operation.js';

/** Texts are written by the instance and by organizations, with the same operations: all that is different stands here. */
export interface TextLevel {
  readonly prefix: 'admin/v1' | 'management/v1';
  readonly read: Permission;
  readonly write: Permission;
  readonly remove: Permission;
  /** The owner, as named in the summaries of the operations. */
  readonly owner: string;
  /** The default that applies if the owner has no custom text, as named in the descriptions. */
  readonly above: string;
  readonly isOrg: boolean;
  readonly documentation: ClassDecorator;
  readonly ownerId: (actor: Actor, instance: Instance) => string;
  /** Operations of both levels have the same name in their gRPC services, but one document names each once. */
  readonly operationId: (name: string) => string;
}

export const OF_INSTANCE: TextLevel = {
  prefix: 'admin/v1',
  read: 'iam.policy.read',
  write: 'iam.policy.write',
  remove: 'iam.policy.delete',
  owner: 'the instance',
  above: 'the built-in text',
  isOrg: false,
  documentation: applyDecorators(),
  ownerId: (_actor, instance) => instance.id,
  operationId: (name) => name,
};

export const OF_ORG: TextLevel = {
  prefix: 'management/v1',
  read: 'policy.read',
  write: 'policy.write',
  remove: 'policy.delete',
  owner: 'an organization',
  above: 'the text of the instance',
  isOrg: true,
  documentation: OfOrg(),
  ownerId: (actor) => actor.orgId,
  operationId: (name) => `${name}OfOrg`,
};
