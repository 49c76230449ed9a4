import { MOST_BYTES, MOST_OPERATIONS } from '../bulk/bulk-request.js';
import { MOST_RESULTS } from '../protocol/list-query.js';
import type { Locations } from '../protocol/locations.js';
import type { JsonObject } from '../resource/write-resource.js';
import type { Attribute } from '../schema/attribute.js';
import { GROUP } from '../schema/group.schema.js';
import type { ResourceType, Schema } from '../schema/resource-type.js';
import { USER } from '../schema/user.schema.js';

const TYPES = [USER, GROUP];
const SCHEMAS = TYPES.flatMap((type) => type.schemas);

/** RFC 7643 §5. */
export function serviceProviderConfig(locations: Locations): JsonObject {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    patch: { supported: true },
    bulk: { supported: true, maxOperations: MOST_OPERATIONS, maxPayloadSize: MOST_BYTES },
    filter: { supported: true, maxResults: MOST_RESULTS },
    changePassword: { supported: true },
    sort: { supported: false },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'OAuth bearer token',
        description: 'A personal access token, or an access token, of a service user of the organization (RFC 6750).',
        specUri: 'https://www.rfc-editor.org/info/rfc6750',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: locations.to('ServiceProviderConfig') },
  };
}

/** RFC 7643 §6. */
export function resourceTypes(locations: Locations): readonly JsonObject[] {
  return TYPES.map((type) => toResourceType(type, locations));
}

/** RFC 7643 §7. */
export function schemas(locations: Locations): readonly JsonObject[] {
  return SCHEMAS.map((schema) => toSchema(schema, locations));
}

function toResourceType(type: ResourceType, locations: Locations): JsonObject {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: type.name,
    name: type.name,
    endpoint: `/${type.endpoint}`,
    description: type.schema.description,
    schema: type.schema.urn,
    schemaExtensions: type.extensions.map(({ urn }) => ({ schema: urn, required: false })),
    meta: { resourceType: 'ResourceType', location: locations.to('ResourceTypes', type.name) },
  };
}

function toSchema(schema: Schema, locations: Locations): JsonObject {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id: schema.urn,
    name: schema.name,
    description: schema.description,
    attributes: [...schema.attributes.values()].map(toAttribute),
    meta: { resourceType: 'Schema', location: locations.to('Schemas', schema.urn) },
  };
}

function toAttribute(attribute: Attribute): JsonObject {
  const isText = attribute.type === 'string' || attribute.type === 'reference';
  return {
    name: attribute.name,
    type: attribute.type,
    multiValued: attribute.isMultiValued,
    description: attribute.description,
    required: attribute.isRequired,
    ...(isText ? { caseExact: attribute.isCaseExact } : {}),
    ...(attribute.canonicalValues.length === 0 ? {} : { canonicalValues: attribute.canonicalValues }),
    mutability: attribute.mutability,
    returned: attribute.returned,
    uniqueness: attribute.uniqueness,
    ...(attribute.referenceTypes.length === 0 ? {} : { referenceTypes: attribute.referenceTypes }),
    ...(attribute.subAttributes.size === 0
      ? {}
      : { subAttributes: [...attribute.subAttributes.values()].map(toAttribute) }),
  };
}
