import type { FieldViolation } from '../../foundation/error/domain-error.js';
import type { ClientAuthMethod, ClientGrantType, ClientRow, ClientType, SecurityProfile } from './client.entity.js';

/**
 * FAPI 2.0 Security Profile §5.4.1. `Ed25519` is the name of RFC 9864 for what `EdDSA` means with the keys that are
 * taken here.
 */
const FAPI_ALGORITHMS: readonly string[] = ['PS256', 'ES256', 'EdDSA', 'Ed25519'];
/** FAPI 2.0 Security Profile §5.3.2.1 item 6. */
const FAPI_AUTH_METHODS: readonly ClientAuthMethod[] = [
  'private_key_jwt',
  'tls_client_auth',
  'self_signed_tls_client_auth',
];
/** FAPI 2.0 Security Profile §5.3.2.2: of the flows that are offered here, the profile describes this one. */
const FAPI_GRANT_TYPES: readonly ClientGrantType[] = ['authorization_code', 'refresh_token'];
/** An application in a browser cannot keep a key. */
const FAPI_CLIENT_TYPES: readonly ClientType[] = ['web', 'native'];
/** RFC 8252 §8.3: only an address literal is certain to stay on the machine of the user. */
const LOOPBACK_LITERAL = /^http:\/\/(127\.0\.0\.1|\[::1\])([:/?]|$)/;
/** FAPI 2.0 Security Profile §5.3.2.1 item 11. */
const FAPI_CODE_SECONDS = 60;

/** The settings that a profile restricts. */
export type ProfiledSettings = Partial<
  Pick<
    ClientRow,
    'securityProfile' | 'clientType' | 'responseTypes' | 'grantTypes' | 'redirectUris' | 'devMode' | 'jwks'
  >
> &
  Pick<ClientRow, 'kind' | 'authMethod'>;

/** Whether it may sign with this algorithm: assertions, request objects and proofs of keys. */
export function allowsAlgorithm(profile: SecurityProfile, algorithm: string): boolean {
  return profile === 'none' || FAPI_ALGORITHMS.includes(algorithm);
}

export function allowsGrant(profile: SecurityProfile, grant: ClientGrantType): boolean {
  return profile === 'none' || FAPI_GRANT_TYPES.includes(grant);
}

export function allowsAuthMethod(profile: SecurityProfile, method: ClientAuthMethod): boolean {
  return profile === 'none' || FAPI_AUTH_METHODS.includes(method);
}

/** The longest lifetime of a code; undefined for that of the instance. */
export function codeSecondsOf(profile: SecurityProfile): number | undefined {
  return profile === 'none' ? undefined : FAPI_CODE_SECONDS;
}

/**
 * The settings that contradict the profile, each by its name in the administrative API: it is one switch, which is
 * refused where it would not hold.
 */
export function profileViolations(settings: ProfiledSettings): FieldViolation[] {
  if ((settings.securityProfile ?? 'none') === 'none') return [];
  if (settings.kind === 'api')
    return [{ field: 'securityProfile', description: 'must be SECURITY_PROFILE_NONE for an API application' }];
  return [
    ...authenticationViolations(settings),
    ...flowViolations(settings),
    ...redirectViolations(settings),
    ...keyViolations(settings),
  ];
}

function authenticationViolations({ authMethod, clientType = 'web' }: ProfiledSettings): FieldViolation[] {
  const violations: FieldViolation[] = [];
  if (!FAPI_AUTH_METHODS.includes(authMethod))
    violations.push(refused('authMethodType', `must be one of ${FAPI_AUTH_METHODS.join(', ')}`));
  if (!FAPI_CLIENT_TYPES.includes(clientType))
    violations.push(refused('appType', `must be ${FAPI_CLIENT_TYPES.join(' or ')}: others cannot keep a key`));
  return violations;
}

function flowViolations({ responseTypes = [], grantTypes = [] }: ProfiledSettings): FieldViolation[] {
  const violations: FieldViolation[] = [];
  if (responseTypes.some((responseType) => responseType !== 'code'))
    violations.push(refused('responseTypes', 'must be code alone'));
  if (grantTypes.some((grant) => !FAPI_GRANT_TYPES.includes(grant)))
    violations.push(refused('grantTypes', 'must be authorization code and refresh token alone'));
  return violations;
}

/** FAPI 2.0 Security Profile §5.3.2.2 item 8. */
function redirectViolations({ clientType, redirectUris = [], devMode = false }: ProfiledSettings): FieldViolation[] {
  const violations: FieldViolation[] = devMode ? [refused('devMode', 'must be false')] : [];
  redirectUris.forEach((uri, index) => {
    const isSafe = !uri.startsWith('http:') || (clientType === 'native' && LOOPBACK_LITERAL.test(uri));
    if (!isSafe)
      violations.push(
        refused(`redirectUris[${index}]`, 'must use https; a native application may use http on 127.0.0.1 or [::1]'),
      );
  });
  return violations;
}

function keyViolations({ jwks }: ProfiledSettings): FieldViolation[] {
  return (jwks?.keys ?? []).flatMap(({ alg }, index) =>
    alg === undefined || FAPI_ALGORITHMS.includes(alg)
      ? []
      : [refused(`jwks.keys[${index}].alg`, 'must be PS256, ES256 or EdDSA')],
  );
}

function refused(field: string, problem: string): FieldViolation {
  return { field, description: `${problem} with SECURITY_PROFILE_FAPI_2_0` };
}
