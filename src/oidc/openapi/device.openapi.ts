import { paths } from '../../org/instance/paths.js';
import { refusal } from '../oidc.errors.js';
import { endpoints } from '../oidc.paths.js';
import { FORM_LIMITS, formOf, jsonOf, notAForm, type Operation, type Part, refusals } from './part.js';
import { CLIENT, RESOURCE_PARAMETER } from './token.openapi.js';

const deviceAuthorization = (issuer: string): Operation => ({
  operationId: 'StartDeviceAuthorization',
  tags: ['OAuth'],
  summary: 'Start a sign-in on a device that has no browser or no keyboard',
  description: `RFC 8628. The device shows \`user_code\` and \`verification_uri\` to its user, and meanwhile asks the token endpoint with
\`device_code\`, not more often than every \`interval\` seconds. The application must be registered for the grant type device code; it
authenticates as at the token endpoint. At most 30 requests a minute from one network, and 1,000 open codes of one application.`,
  security: [{ client: [] }, {}],
  requestBody: formOf(
    {
      scope: { description: 'Space-delimited. `openid` for an ID token, `offline_access` for a refresh token.' },
      resource: RESOURCE_PARAMETER,
      ...CLIENT,
    },
    { television: { scope: 'openid profile offline_access', client_id: 'my-device' } },
  ),
  responses: {
    '200': jsonOf('The two codes.', 'DeviceAuthorization', {
      device_code: 'gtd_…',
      user_code: 'WDJB-MJHT',
      verification_uri: `${issuer}${paths.device}`,
      verification_uri_complete: `${issuer}${paths.device}?user_code=WDJB-MJHT`,
      expires_in: 600,
      interval: 5,
    }),
    ...refusals(
      notAForm(),
      refusal.parameterRepeated('scope'),
      refusal.severalAuthMethods(),
      refusal.grantNotAllowed(),
      refusal.scopeUnknown(),
      refusal.scopeMalformed(),
      refusal.orgUnknown(),
      refusal.resourceMalformed(),
      refusal.resourceUnknown(),
      refusal.clientUnknown(),
      refusal.clientCredentialsMissing(),
    ),
    ...FORM_LIMITS,
  },
});

export function devicePart(issuer: string): Part {
  return { paths: { [endpoints.deviceAuthorization]: { post: deviceAuthorization(issuer) } } };
}
