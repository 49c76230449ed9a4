import { Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { ServicePath } from '../../org/instance/paths.js';
import { collectOperations, type KnownOperation } from './grpc/known-operation.js';
import { fieldsOf } from './wire/declared-field.js';
import type { DeclaredField } from './wire/field.js';

type LinkValue = string | number | boolean | readonly string[];

/** Values for the fields of a request, in the path or elsewhere, by name. */
export type LinkValues = Readonly<Record<string, LinkValue>>;

/** An operation by its id, and the link that opens it. */
export interface OperationLink {
  readonly operationId: string;
  readonly href: ServicePath;
}

/** Stands in a link for the header with the organization, whose own name contains a word that the operator chooses. */
const ORG = 'x-org';

/** Fields that a link does not fill: other messages, and files. */
const NOT_IN_LINKS: ReadonlySet<DeclaredField['kind']> = new Set(['bytes', 'part', 'struct']);

/** Links that open an operation in Swagger UI, filled in; nothing is sent before somebody presses Execute. */
@Injectable()
export class DocsLinks {
  private known: ReadonlyMap<string, KnownOperation> | undefined;

  constructor(private readonly modules: ModulesContainer) {}

  /**
   * @param id of the operation; of an extension's with its prefix: `hr.ListEmployees`
   * @param orgId the organization that the call is about, where it is not the caller's own
   */
  to(id: string, values: LinkValues = {}, orgId?: string): ServicePath {
    return docsLink(this.find(id), values, orgId);
  }

  /** Like `to`, with the id to show. */
  link(operationId: string, values?: LinkValues, orgId?: string): OperationLink {
    return { operationId, href: this.to(operationId, values, orgId) };
  }

  /**
   * With as much of a whole request as a link can fill in.
   * @param parameters of the request, as JSON
   * @param orgId the organization of the call; left out where the operation takes none
   */
  filling(id: string, parameters: Readonly<Record<string, unknown>>, orgId: string): ServicePath {
    const operation = this.find(id);
    const fillable = new Set(fillableNames(operation));
    const values: LinkValues = Object.fromEntries(
      Object.entries(parameters).filter((entry): entry is [string, LinkValue] => {
        return fillable.has(entry[0]) && isLinkValue(entry[1]);
      }),
    );
    return docsLink(operation, values, operation.ofOrg && orgId !== '' ? orgId : undefined);
  }

  private find(id: string): KnownOperation {
    this.known ??= new Map(collectOperations(this.modules).map((operation) => [documentedIdOf(operation), operation]));
    const operation = this.known.get(id);
    if (!operation) throw new Error(`There is no operation ${id}.`);
    return operation;
  }
}

function isLinkValue(value: unknown): value is LinkValue {
  if (Array.isArray(value)) return value.every((one) => typeof one === 'string');
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/**
 * The values stand in the fragment, which browsers send to no server and in no `Referer`; docs/site/operation-link.ts
 * reads it.
 */
export function docsLink(operation: KnownOperation, values: LinkValues, orgId?: string): ServicePath {
  const { facts, ofOrg, tag } = operation;
  const id = documentedIdOf(operation);
  if (tag === undefined || facts.formerNameOf !== undefined) throw new Error(`The page at /docs does not show ${id}.`);
  const fillable = new Set(fillableNames(operation));
  for (const name of Object.keys(values)) {
    if (!fillable.has(name)) throw new Error(`No link fills in ${name} of ${id}.`);
  }
  if (orgId !== undefined && !ofOrg) throw new Error(`${id} takes no organization.`);
  const query = new URLSearchParams([
    ...Object.entries(values).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)])),
    ...(orgId === undefined ? [] : [[ORG, orgId]]),
  ]);
  const place = `/docs#/${encodeURIComponent(tag)}/${encodeURIComponent(id)}` as const;
  return query.size === 0 ? place : `${place}?${query.toString()}`;
}

/** The id in the OpenAPI document, where those of extensions have a prefix. */
function documentedIdOf({ owner, facts }: KnownOperation): string {
  return owner === undefined ? facts.id : `${owner}.${facts.id}`;
}

function fillableNames({ httpMethod, facts: { request } }: KnownOperation): string[] {
  const fields = request ? fieldsOf(request) : [];
  // The document leaves lists out of the parameters of a query.
  return fields.flatMap(({ name, kind, many }) =>
    NOT_IN_LINKS.has(kind) || (many && httpMethod === 'GET') ? [] : [name],
  );
}
