import { invalidFields } from '../../../foundation/error/domain-error.js';
import type { DetailsV2 } from '../kit/object.dto.js';
import type {
  FeatureFlagV2,
  GetInstanceFeaturesResponseV2,
  GetSystemFeaturesResponseV2,
  SetInstanceFeaturesRequestV2,
  SetSystemFeaturesRequestV2,
} from './feature.dto.js';

/** How this service behaves, in the words of the switches of the described system. None of them can be changed. */
const SWITCHES = {
  loginDefaultOrg: true,
  userSchema: false,
  oidcTokenExchange: true,
  debugOidcParentError: false,
  oidcSingleV1SessionTermination: true,
  enableBackChannelLogout: true,
  permissionCheckV2: true,
  consoleUseV2UserApi: false,
} as const;

type Switch = keyof typeof SWITCHES;

function flag(name: Switch): FeatureFlagV2 {
  return { enabled: SWITCHES[name], source: 'system' };
}

export function systemFeatures(details: DetailsV2): GetSystemFeaturesResponseV2 {
  return {
    details,
    loginDefaultOrg: flag('loginDefaultOrg'),
    userSchema: flag('userSchema'),
    oidcTokenExchange: flag('oidcTokenExchange'),
    improvedPerformance: { executionPaths: [], source: 'system' },
    oidcSingleV1SessionTermination: flag('oidcSingleV1SessionTermination'),
    enableBackChannelLogout: flag('enableBackChannelLogout'),
    loginV2: { required: false, source: 'system' },
    permissionCheckV2: flag('permissionCheckV2'),
  };
}

export function instanceFeatures(details: DetailsV2): GetInstanceFeaturesResponseV2 {
  return {
    ...systemFeatures(details),
    debugOidcParentError: flag('debugOidcParentError'),
    consoleUseV2UserApi: flag('consoleUseV2UserApi'),
  };
}

/** @throws DomainError InvalidArgument for values other than those that hold, each by the name of its switch */
export function checkFeatures(request: SetInstanceFeaturesRequestV2 | SetSystemFeaturesRequestV2): void {
  const { improvedPerformance, loginV2, ...flags } = request;
  const wrong = Object.entries(flags).flatMap(([name, value]) => {
    const holds = SWITCHES[name as Switch];
    return value === undefined || value === holds
      ? []
      : [{ field: name, description: `cannot be changed here, and is ${String(holds)}` }];
  });
  const others = [
    ...(improvedPerformance.length > 0 ? [{ field: 'improvedPerformance', description: 'must be empty' }] : []),
    ...(loginV2?.required === true ? [{ field: 'loginV2.required', description: 'must be false' }] : []),
    ...((loginV2?.baseUri ?? '') === '' ? [] : [{ field: 'loginV2.baseUri', description: 'must be empty' }]),
  ];
  if (wrong.length + others.length > 0) throw invalidFields([...wrong, ...others]);
}
