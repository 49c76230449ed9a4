import type { ServerResponse } from 'node:http';
import type { JsonObject } from '../resource/write-resource.js';

const SCIM_TYPE = 'application/scim+json';
export const SCIM_JSON = `${SCIM_TYPE}; charset=utf-8`;
/** RFC 7644 §3.1: what a body may say it is. */
export const BODY_TYPES: readonly string[] = [SCIM_TYPE, 'application/json'];

export const LIST_URN = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

/** What a request is answered with. */
export interface Answer {
  readonly status: 200 | 201 | 204 | 304;
  readonly version?: string;
  /** Of the resource, also where the answer has none. */
  readonly location?: string;
  readonly body?: JsonObject;
}

/** Some of the resources that a query finds. */
export interface Found {
  readonly total: number;
  readonly resources: readonly JsonObject[];
}

/** RFC 7644 §3.4.2. */
export function listAnswer({ total, resources }: Found, startIndex = 1): Answer {
  return {
    status: 200,
    body: {
      schemas: [LIST_URN],
      totalResults: total,
      startIndex,
      itemsPerPage: resources.length,
      Resources: resources,
    },
  };
}

export function send(response: ServerResponse, { status, version, location, body }: Answer): void {
  response.statusCode = status;
  if (version !== undefined) response.setHeader('ETag', version);
  if (status === 201 && location !== undefined) response.setHeader('Location', location);
  if (body === undefined) response.end();
  else response.setHeader('Content-Type', SCIM_JSON).end(JSON.stringify(body));
}
