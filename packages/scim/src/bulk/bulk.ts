import { Injectable } from '@nestjs/common';
import { DomainError, type Kind, Log } from 'gatehouse';
import { errorBody, translated } from '../error/error-body.js';
import { invalidValue, ScimError } from '../error/scim-error.js';
import { ScimGroups } from '../group/scim-groups.js';
import type { Answer } from '../protocol/answer.js';
import type { Ask } from '../protocol/ask.js';
import { Conditions } from '../protocol/version.js';
import type { JsonObject } from '../resource/write-resource.js';
import { ScimUsers } from '../user/scim-users.js';
import { referencesOf, replaceReferences } from './bulk-references.js';
import { BULK_RESPONSE_URN, type BulkOperation, type BulkRequest, readBulk } from './bulk-request.js';

const STATUS: Readonly<Record<Kind, number>> = {
  InvalidArgument: 400,
  FailedPrecondition: 400,
  Unauthenticated: 401,
  PermissionDenied: 403,
  NotFound: 404,
  AlreadyExists: 409,
  Aborted: 503,
  ResourceExhausted: 429,
  Internal: 500,
  Unavailable: 503,
  DeadlineExceeded: 504,
};

/** RFC 7644 §3.7: many operations in one request, each in a transaction of its own. */
@Injectable()
export class Bulk {
  constructor(
    private readonly users: ScimUsers,
    private readonly groups: ScimGroups,
    private readonly log: Log,
  ) {}

  async run(ask: Ask, body: unknown): Promise<Answer> {
    const request = readBulk(body);
    const results = await new BulkRun(request, (operation) => this.answerTo(ask, operation), this.log).results();
    return { status: 200, body: { schemas: [BULK_RESPONSE_URN], Operations: results } };
  }

  private async answerTo(ask: Ask, { method, endpoint, id = '', version, data }: BulkOperation): Promise<Answer> {
    const resources = endpoint === 'Users' ? this.users : this.groups;
    // Lists of groups and members are no part of the response.
    const asked = { attributes: [], excludedAttributes: ['groups', 'members'] };
    const one: Ask = { ...ask, asked, conditions: Conditions.ifMatch(version) };
    switch (method) {
      case 'POST':
        return resources.create(one, data);
      case 'PUT':
        return resources.replace(one, id, data);
      case 'PATCH':
        return resources.patch(one, id, data);
      case 'DELETE':
        return resources.remove(one, id);
    }
  }
}

/** The operations of one request: what others refer to is made first, whatever their order. */
class BulkRun {
  private readonly ids = new Map<string, string>();
  private readonly done = new Map<BulkOperation, JsonObject>();
  private readonly begun = new Set<BulkOperation>();
  private errors = 0;

  constructor(
    private readonly request: BulkRequest,
    private readonly answerTo: (operation: BulkOperation) => Promise<Answer>,
    private readonly log: Log,
  ) {}

  async results(): Promise<readonly JsonObject[]> {
    for (const operation of this.request.operations) await this.runAfterOthers(operation);
    return this.request.operations
      .map((operation) => this.done.get(operation))
      .filter((result) => result !== undefined);
  }

  private async runAfterOthers(operation: BulkOperation): Promise<void> {
    if (this.begun.has(operation) || this.isOver()) return;
    this.begun.add(operation);
    for (const bulkId of referencesOf(operation)) {
      const other = this.request.operations.find((one) => one.bulkId === bulkId);
      if (other) await this.runAfterOthers(other);
    }
    if (!this.isOver()) this.done.set(operation, await this.run(operation));
  }

  private isOver(): boolean {
    return this.errors >= (this.request.failOnErrors ?? Number.POSITIVE_INFINITY);
  }

  private async run(operation: BulkOperation): Promise<JsonObject> {
    const { method, bulkId } = operation;
    const named = { method, ...(bulkId === undefined ? {} : { bulkId }) };
    try {
      for (const other of referencesOf(operation)) this.checkMade(other);
      const resolved = { ...operation, ...replaceReferences(operation, (other) => this.ids.get(other)) };
      const { status, location, version, body } = await this.answerTo(resolved);
      if (bulkId !== undefined && typeof body?.['id'] === 'string') this.ids.set(bulkId, body['id']);
      return {
        ...named,
        ...(location === undefined ? {} : { location }),
        ...(version === undefined ? {} : { version }),
        status: String(status),
      };
    } catch (error) {
      this.errors++;
      return { ...named, ...this.refused(error) };
    }
  }

  /** RFC 7644 §3.7.1: 409 for resources that refer to each other in a circle, so that none can be the first. */
  private checkMade(bulkId: string): void {
    const other = this.request.operations.find((operation) => operation.bulkId === bulkId);
    if (!other || this.ids.has(bulkId)) return;
    if (this.done.has(other)) throw invalidValue('bulkId', 'names an operation that has failed');
    throw new ScimError(
      409,
      undefined,
      'FailedPrecondition',
      'scim.bulk_circle',
      'The operation and others refer to each other in a circle: add the references afterwards.',
    );
  }

  private refused(error: unknown): JsonObject {
    if (!(error instanceof DomainError)) {
      this.log.error({ err: error, reason: 'scim.bulk_failed' }, 'An operation of a bulk request has failed.');
      const message = 'The operation failed. The log of the service says why.';
      return {
        status: '500',
        response: errorBody({ status: 500, kind: 'Internal', reason: 'scim.bulk_failed', message }, undefined),
      };
    }
    const { kind, reason, message } = error;
    const { status, scimType } = translated(error, { status: STATUS[kind], kind, reason, message });
    return { status: String(status), response: errorBody({ status, kind, reason, message }, scimType) };
  }
}
