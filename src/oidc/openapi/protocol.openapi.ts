import { authorizePart } from './authorize.openapi.js';
import { devicePart } from './device.openapi.js';
import { metadataPart } from './metadata.openapi.js';
import { parPart } from './par.openapi.js';
import type { Part, Schemas } from './part.js';
import { registrationPart } from './registration.openapi.js';
import { schemas } from './schemas.js';
import { sessionPart } from './session.openapi.js';
import { tokenPart } from './token.openapi.js';

export interface ProtocolDocument extends Part {
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description: string }>;
  readonly schemas: Schemas;
}

/**
 * The protocol endpoints in the form of OpenAPI. Their controllers read forms without DTOs, so requests and
 * responses are described here and not by decorators; a test compares this with the routes.
 */
export function protocolDocument(issuer: string): ProtocolDocument {
  const parts = [
    authorizePart(issuer),
    parPart(),
    tokenPart(issuer),
    devicePart(issuer),
    registrationPart(issuer),
    sessionPart(),
    metadataPart(issuer),
  ];
  return {
    tags: [
      { name: 'OpenID Connect', description: 'Signing users in and out, and their claims.' },
      { name: 'OAuth', description: 'Issuing, introspecting and revoking tokens.' },
    ],
    // Copies: the whole document completes its operations in place.
    paths: structuredClone(Object.assign({}, ...parts.map((part) => part.paths)) as Part['paths']),
    schemas: structuredClone(schemas),
  };
}
