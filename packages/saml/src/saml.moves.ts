import type { MovedRow, MovedTable } from 'gatehouse';
import { isAttributeSource } from './application/attribute-mapping.js';
import { NAME_ID_FORMATS } from './application/registered-applications.js';
import { readServiceProvider } from './metadata/service-provider.js';
import { SamlRefusal } from './refusal.js';

/** What can be written into a NameID (SAML Core §8.3.7). */
const NAME_ID = /^[\x21-\x7e]{1,256}$/;

/** Applications and the names of their users move; certificates belong to the instance, and sign-ins to a moment. */
export const MOVES: readonly MovedTable[] = [
  {
    table: 'application',
    belongsTo: 'client_id',
    columns: {
      client_id: 'application',
      entity_id: 'text',
      metadata: 'text',
      metadata_url: 'text',
      read_at: 'time',
      valid_until: 'time',
      name_id_format: 'text',
      attributes: 'json',
      allow_idp_initiated: 'boolean',
      require_signed_requests: 'boolean',
    },
    problemOf: applicationProblem,
  },
  {
    table: 'name_id',
    belongsTo: 'user_id',
    columns: { client_id: { table: 'application' }, user_id: 'user', value: 'text' },
    problemOf: ({ value }) => (NAME_ID.test(String(value)) ? undefined : 'has a value that is no name of a user'),
  },
];

/** As the operations would refuse it. Whether http is allowed is a setting, which each sign-in obeys. */
function applicationProblem({
  entity_id: entityId,
  metadata,
  read_at: readAt,
  name_id_format: format,
  attributes,
  require_signed_requests: isSigned,
}: MovedRow): string | undefined {
  if (!NAME_ID_FORMATS.some((known) => known === format))
    return `has another name_id_format than ${NAME_ID_FORMATS.join(', ')}`;
  if (!isMapping(attributes)) return 'has attributes that are no list of { source, name }';
  try {
    const provider = readServiceProvider(Buffer.from(String(metadata)), new Date(String(readAt)), { allowHttp: true });
    if (provider.entityId !== entityId) return 'has metadata of another entity_id';
    if (isSigned === true && provider.signingCertificates.length === 0)
      return 'requires signed requests, and its metadata have no certificate';
    return undefined;
  } catch (error) {
    if (error instanceof SamlRefusal) return `has metadata that cannot be read: ${error.message}`;
    throw error;
  }
}

function isMapping(attributes: unknown): boolean {
  return (
    Array.isArray(attributes) &&
    attributes.every(({ source, name }: Readonly<Record<string, unknown>>) => {
      return typeof source === 'string' && isAttributeSource(source) && typeof name === 'string' && name !== '';
    })
  );
}
