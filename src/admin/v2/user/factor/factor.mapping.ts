import type { SoleFactorKind } from '../../../../user/factor/factor.entity.js';
import type { HeldFactor } from '../../../../user/factor/factor.service.js';
import type { HeldKey } from '../../../../user/factor/passkey.service.js';
import type { AuthFactorV2, ListAuthenticationFactorsRequestV2, MethodType } from './factor.dto.js';

type Sole = HeldFactor & { readonly kind: SoleFactorKind };

/** By what a user can sign in, in the order of the enumeration. */
export function methodTypesOf({
  hasPassword,
  hasLink,
  factors,
  keys,
}: {
  readonly hasPassword: boolean;
  readonly hasLink: boolean;
  readonly factors: readonly Sole[];
  readonly keys: readonly HeldKey[];
}): MethodType[] {
  const isReady = (kind: SoleFactorKind): boolean =>
    factors.some((factor) => factor.kind === kind && factor.state === 'ready');
  const hasKey = (kind: HeldKey['kind']): boolean => keys.some((key) => key.kind === kind);
  return [
    ...(hasPassword ? (['password'] as const) : []),
    ...(hasKey('passkey') ? (['passkey'] as const) : []),
    ...(hasLink ? (['idp'] as const) : []),
    ...(isReady('otp') ? (['otp'] as const) : []),
    ...(hasKey('u2f') ? (['u2f'] as const) : []),
    ...(isReady('otp_email') ? (['otp_email'] as const) : []),
    ...(isReady('recovery_codes') ? (['recovery_codes'] as const) : []),
  ];
}

/** The second factors; passkeys have a list of their own. */
export function toFactors(factors: readonly Sole[], keys: readonly HeldKey[]): AuthFactorV2[] {
  return [
    ...factors.map(toFactor),
    ...keys.flatMap(({ kind, id, name }): AuthFactorV2[] =>
      kind === 'u2f' ? [{ state: 'ready', u2f: { id, name } }] : [],
    ),
  ];
}

function toFactor({ kind, state, left }: Sole): AuthFactorV2 {
  switch (kind) {
    case 'otp':
      return { state, otp: {} };
    case 'otp_email':
      return { state, otpEmail: {} };
    case 'recovery_codes':
      return { state, recoveryCodes: { left } };
  }
}

export function isAskedFor(
  factor: AuthFactorV2,
  { authFactors, states }: Pick<ListAuthenticationFactorsRequestV2, 'authFactors' | 'states'>,
): boolean {
  if (states.length > 0 && !states.includes(factor.state)) return false;
  if (authFactors.length === 0) return true;
  return (
    (factor.otp !== undefined && authFactors.includes('otp')) ||
    (factor.otpEmail !== undefined && authFactors.includes('otp_email')) ||
    (factor.u2f !== undefined && authFactors.includes('u2f'))
  );
}
