import { MetadataRefused } from '../../project/client/metadata/metadata.errors.js';
import { OAuthError, refusal } from '../oidc.errors.js';
import { endpoints } from '../oidc.paths.js';
import { challenging, FORM_LIMITS, jsonOf, type Operation, type Part, refusals } from './part.js';

const METADATA = {
  client_name: 'Shop assistant',
  redirect_uris: ['https://assistant.example.com/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: 'none',
};

const registered = (issuer: string): Record<string, unknown> => ({
  client_id: '312909075212468249',
  client_id_issued_at: 1795219200,
  registration_access_token: 'gtn_…',
  registration_client_uri: `${issuer}${endpoints.registration}/312909075212468249`,
  application_type: 'web',
  response_types: ['code'],
  ...METADATA,
  id_token_signed_response_alg: 'RS256',
});

const CLIENT_ID = {
  name: 'clientId',
  in: 'path',
  required: true,
  description: 'The client ID that the application was given.',
  schema: { type: 'string' as const },
  example: '312909075212468249',
} as const;

const body = (description: string): NonNullable<Operation['requestBody']> => ({
  required: true,
  description,
  content: {
    'application/json': { schema: { $ref: '#/components/schemas/ClientMetadata' }, example: METADATA },
  },
});

function metadataRefusals(): OAuthError[] {
  return [
    new MetadataRefused('invalid_redirect_uri', 'redirect_uris', 'must name at least one URI'),
    new MetadataRefused('invalid_client_metadata', 'subject_type', 'must be public'),
    new MetadataRefused('invalid_software_statement', 'software_statement', 'is not accepted: no issuer is trusted'),
  ].map(({ error, reason, message }) => new OAuthError(error, reason, message));
}

const { '413': TOO_LARGE, '429': TOO_MANY, '503': UNAVAILABLE } = FORM_LIMITS;
const LIMITS = { '429': TOO_MANY, '503': UNAVAILABLE };
const OFF = {
  '404': jsonOf('Registration is not turned on.', 'OAuthError', {
    error: 'invalid_request',
    error_description: 'No endpoint exists at this path.',
  }),
};

/** RFC 7591 and RFC 7592. */
export function registrationPart(issuer: string): Part {
  const answer = jsonOf('As it is registered now.', 'ClientRegistration', registered(issuer));
  const common = { tags: ['OAuth'], security: [{ token: [] }] };
  return {
    paths: {
      [endpoints.registration]: {
        post: {
          ...common,
          operationId: 'CreateClientRegistration',
          summary: 'Register an application, as the application',
          description: `RFC 7591, if the operator has set \`REGISTRATION\`. With \`token\`, an administrator creates an initial access token
(\`AddRegistrationToken\`), which is sent as a bearer token; with \`open\`, none is needed. Members that are unknown or not
offered are left out of the answer. Users are asked for consent each time.`,
          security: [{ token: [] }, {}],
          requestBody: body('Members of RFC 7591 §2 and OpenID Connect Registration.'),
          responses: challenging({
            '201': jsonOf('Registered.', 'ClientRegistration', registered(issuer)),
            ...refusals(
              ...metadataRefusals(),
              refusal.bearerMalformed(),
              refusal.bearerDead(),
              refusal.bearerMissing(),
            ),
            ...OFF,
            '413': TOO_LARGE!,
            ...LIMITS,
          }),
        },
      },
      [`${endpoints.registration}/{clientId}`]: {
        get: {
          ...common,
          operationId: 'GetClientRegistration',
          summary: 'Read the registration of an application, as the application',
          description:
            'RFC 7592 §2.1, with the registration access token. A secret is only stored as a digest, and not returned.',
          parameters: [CLIENT_ID],
          responses: challenging({
            '200': answer,
            ...refusals(refusal.bearerMalformed(), refusal.bearerDead(), refusal.bearerMissing()),
            ...OFF,
            ...LIMITS,
          }),
        },
        put: {
          ...common,
          operationId: 'UpdateClientRegistration',
          summary: 'Replace the registration of an application, as the application',
          description: `RFC 7592 §2.2: all members, with \`client_id\` and, if sent, the right \`client_secret\`. What is left out has its default. A new
secret is returned if the application needs one that it did not need before.`,
          parameters: [CLIENT_ID],
          requestBody: body('As in a registration, with `client_id`.'),
          responses: challenging({
            '200': answer,
            ...refusals(
              ...metadataRefusals(),
              refusal.bearerMalformed(),
              refusal.bearerDead(),
              refusal.bearerMissing(),
            ),
            ...OFF,
            '413': TOO_LARGE!,
            ...LIMITS,
          }),
        },
        delete: {
          ...common,
          operationId: 'RemoveClientRegistration',
          summary: 'Remove an application, as the application; its tokens become invalid',
          description: 'RFC 7592 §2.3.',
          parameters: [CLIENT_ID],
          responses: challenging({
            '204': { description: 'Removed.' },
            ...refusals(refusal.bearerMalformed(), refusal.bearerDead(), refusal.bearerMissing()),
            ...OFF,
            ...LIMITS,
          }),
        },
      },
    },
  };
}
