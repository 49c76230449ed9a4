import { Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { DomainError } from '../../foundation/error/domain-error.js';
import type { Actor } from '../../user/permission/actor.js';
import type { AnyPermission } from '../../user/permission/role.js';
import { collectOperations, type KnownOperation } from './grpc/known-operation.js';
import { Authenticator } from './guard/authenticator.js';
import { demandOf } from './guard/demand.js';
import { fieldsOf } from './wire/declared-field.js';
import type { MessageClass } from './wire/field.js';
import { readMessage } from './wire/read-message.js';
import { writeMessage } from './wire/write-message.js';

/** A message as JSON. */
export type Json = Readonly<Record<string, unknown>>;

/**
 * Calls operations of this API from within, for operations that put others together. Each call is checked as if it had
 * come over the wire: permission, then message, then the rules of the operation itself.
 */
@Injectable()
export class InnerCalls {
  private known: ReadonlyMap<string, KnownOperation> | undefined;

  constructor(
    private readonly modules: ModulesContainer,
    private readonly authenticator: Authenticator,
  ) {}

  /**
   * @param route the method and the path as it is declared: `PUT /management/v1/projects/:projectId`
   * @param json the message of the request, with what stands in the path
   * @throws DomainError whatever the operation refuses
   */
  async call(actor: Actor, route: string, json: Json): Promise<Json> {
    const { access, call, facts, reach } = this.of(route);
    if (access?.kind !== 'permission' || !call) throw new Error(`${route} cannot be called from within.`);
    await this.authenticator.authorize(actor, demandOf(access.permission, reach, json));
    const message = facts.request && readMessage(facts.request, json, { sets: facts.sets ?? false });
    return writeMessage(facts.returns, (await call(actor, ...(message ? [message] : []))) as object);
  }

  /** The id of the operation. */
  idOf(route: string): string {
    return this.of(route).facts.id;
  }

  /** The permission that the operation demands. */
  permissionOf(route: string): AnyPermission {
    const { access } = this.of(route);
    if (access?.kind !== 'permission') throw new Error(`${route} demands no permission.`);
    return access.permission as AnyPermission;
  }

  /** The message of the request; undefined if there is none. */
  requestOf(route: string): MessageClass | undefined {
    return this.of(route).facts.request;
  }

  /** The members of the request's body, without what stands in the path. */
  bodyOf(route: string): string[] {
    const request = this.requestOf(route);
    const inPath = new Set(pathParameters(route));
    return request ? fieldsOf(request).flatMap(({ name }) => (inPath.has(name) ? [] : [name])) : [];
  }

  private of(route: string): KnownOperation {
    this.known ??= new Map(
      collectOperations(this.modules).map((operation) => [`${operation.httpMethod} ${operation.path}`, operation]),
    );
    const known = this.known.get(route);
    if (!known) throw new Error(`There is no operation ${route}.`);
    return known;
  }
}

export function pathParameters(route: string): string[] {
  return [...route.matchAll(/:(\w+)/g)].map(([, name]) => name!);
}

/** The kinds of refusals for which the caller alone is the reason, and which asking again does not change. */
const BY_CALLER: ReadonlySet<DomainError['kind']> = new Set([
  'AlreadyExists',
  'FailedPrecondition',
  'InvalidArgument',
  'NotFound',
  'PermissionDenied',
]);

export function isRefusal(error: unknown): error is DomainError {
  return error instanceof DomainError && BY_CALLER.has(error.kind);
}
