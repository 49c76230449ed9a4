import { type ValueOf, wireEnum } from '../../../foundation/http/wire-enum.js';
import { Choice, Choices, Flag, Named, Part, Text } from '../../kit/wire/fields.js';
import { DetailsV2 } from '../kit/object.dto.js';

const FEATURE_SOURCE = wireEnum('FeatureSourceV2', {
  SOURCE_UNSPECIFIED: [0, 'unspecified'],
  SOURCE_SYSTEM: [2, 'system'],
  SOURCE_INSTANCE: [3, 'instance'],
  SOURCE_ORGANIZATION: [4, 'organization'],
  SOURCE_PROJECT: [5, 'project'],
  SOURCE_APP: [6, 'app'],
  SOURCE_USER: [7, 'user'],
});

const IMPROVED_PERFORMANCE = wireEnum('ImprovedPerformanceV2', {
  IMPROVED_PERFORMANCE_UNSPECIFIED: [0, 'unspecified'],
  IMPROVED_PERFORMANCE_PROJECT_GRANT: [2, 'project_grant'],
  IMPROVED_PERFORMANCE_PROJECT: [3, 'project'],
  IMPROVED_PERFORMANCE_USER_GRANT: [4, 'user_grant'],
  IMPROVED_PERFORMANCE_ORG_DOMAIN_VERIFIED: [5, 'org_domain_verified'],
});

const SOURCE = {
  description: 'Always the system: it is how the service behaves.',
  example: 'SOURCE_SYSTEM',
} as const;

/** What each switch says of this service. */
const SAID = {
  loginDefaultOrg: {
    description: 'Sign-ins that name no organization use the settings of the default organization: always true.',
    example: true,
  },
  userSchema: { description: 'There are no schemas of users: always false.', example: false },
  oidcTokenExchange: { description: 'The grant type of RFC 8693 is there: always true.', example: true },
  improvedPerformance: { description: 'There are no slower paths to leave: always empty.', example: [] },
  debugOidcParentError: { description: 'Errors never contain what caused them: always false.', example: false },
  oidcSingleV1SessionTermination: {
    description: 'A sign-out with a hint ends the sessions of its user alone: always true.',
    example: true,
  },
  enableBackChannelLogout: { description: 'Applications are told of ended sessions: always true.', example: true },
  loginV2: { description: 'The login pages are those of the service: never required.' },
  permissionCheckV2: { description: 'Lists are restricted by the database: always true.', example: true },
  consoleUseV2UserApi: { description: 'There is no console: always false.', example: false },
} as const;

/** Of a message, whose example is made of its fields. */
const said = (name: keyof typeof SAID) => ({ description: SAID[name].description });

@Named('FeatureFlagV2')
export class FeatureFlagV2 {
  @Flag(1, { description: 'Whether it is on.' })
  readonly enabled!: boolean;

  @Choice(2, FEATURE_SOURCE, SOURCE)
  readonly source!: ValueOf<typeof FEATURE_SOURCE>;
}

@Named('ImprovedPerformanceFeatureFlagV2')
export class ImprovedPerformanceFeatureFlagV2 {
  @Choices(1, IMPROVED_PERFORMANCE, SAID.improvedPerformance)
  readonly executionPaths!: ReadonlyArray<ValueOf<typeof IMPROVED_PERFORMANCE>>;

  @Choice(2, FEATURE_SOURCE, SOURCE)
  readonly source!: ValueOf<typeof FEATURE_SOURCE>;
}

@Named('LoginV2FeatureFlagV2')
export class LoginV2FeatureFlagV2 {
  @Flag(1, { description: 'Always false: the login pages are those of the service.' })
  readonly required!: boolean;

  @Text(2, { optional: true, description: 'Never there.' })
  readonly baseUri?: string;

  @Choice(3, FEATURE_SOURCE, SOURCE)
  readonly source!: ValueOf<typeof FEATURE_SOURCE>;
}

@Named('LoginFeatureV2')
export class LoginFeatureV2 {
  @Flag(1, { description: 'Only false is accepted.', example: false })
  readonly required!: boolean;

  @Text(2, { optional: true, max: 2_000, description: 'Only an empty one is accepted.', example: '' })
  readonly baseUri?: string;
}

@Named('FeaturesChangedV2')
export class FeaturesChangedV2 {
  @Part(1, () => DetailsV2)
  readonly details!: DetailsV2;
}

@Named('SetSystemFeaturesRequestV2')
export class SetSystemFeaturesRequestV2 {
  @Flag(1, { optional: true, ...SAID.loginDefaultOrg })
  readonly loginDefaultOrg?: boolean;

  @Flag(4, { optional: true, ...SAID.userSchema })
  readonly userSchema?: boolean;

  @Flag(5, { optional: true, deprecated: true, ...SAID.oidcTokenExchange })
  readonly oidcTokenExchange?: boolean;

  @Choices(7, IMPROVED_PERFORMANCE, SAID.improvedPerformance)
  readonly improvedPerformance!: Array<ValueOf<typeof IMPROVED_PERFORMANCE>>;

  @Flag(8, { optional: true, ...SAID.oidcSingleV1SessionTermination })
  readonly oidcSingleV1SessionTermination?: boolean;

  @Flag(10, { optional: true, deprecated: true, ...SAID.enableBackChannelLogout })
  readonly enableBackChannelLogout?: boolean;

  @Part(11, () => LoginFeatureV2, said('loginV2'))
  readonly loginV2?: LoginFeatureV2;

  @Flag(12, { optional: true, ...SAID.permissionCheckV2 })
  readonly permissionCheckV2?: boolean;
}

@Named('GetSystemFeaturesResponseV2')
export class GetSystemFeaturesResponseV2 {
  @Part(1, () => DetailsV2)
  readonly details!: DetailsV2;

  @Part(2, () => FeatureFlagV2, said('loginDefaultOrg'))
  readonly loginDefaultOrg!: FeatureFlagV2;

  @Part(5, () => FeatureFlagV2, said('userSchema'))
  readonly userSchema!: FeatureFlagV2;

  @Part(6, () => FeatureFlagV2, { deprecated: true, ...said('oidcTokenExchange') })
  readonly oidcTokenExchange!: FeatureFlagV2;

  @Part(8, () => ImprovedPerformanceFeatureFlagV2, said('improvedPerformance'))
  readonly improvedPerformance!: ImprovedPerformanceFeatureFlagV2;

  @Part(9, () => FeatureFlagV2, said('oidcSingleV1SessionTermination'))
  readonly oidcSingleV1SessionTermination!: FeatureFlagV2;

  @Part(11, () => FeatureFlagV2, { deprecated: true, ...said('enableBackChannelLogout') })
  readonly enableBackChannelLogout!: FeatureFlagV2;

  @Part(12, () => LoginV2FeatureFlagV2, said('loginV2'))
  readonly loginV2!: LoginV2FeatureFlagV2;

  @Part(13, () => FeatureFlagV2, said('permissionCheckV2'))
  readonly permissionCheckV2!: FeatureFlagV2;
}

@Named('SetInstanceFeaturesRequestV2')
export class SetInstanceFeaturesRequestV2 {
  @Flag(1, { optional: true, ...SAID.loginDefaultOrg })
  readonly loginDefaultOrg?: boolean;

  @Flag(4, { optional: true, ...SAID.userSchema })
  readonly userSchema?: boolean;

  @Flag(5, { optional: true, deprecated: true, ...SAID.oidcTokenExchange })
  readonly oidcTokenExchange?: boolean;

  @Choices(7, IMPROVED_PERFORMANCE, SAID.improvedPerformance)
  readonly improvedPerformance!: Array<ValueOf<typeof IMPROVED_PERFORMANCE>>;

  @Flag(9, { optional: true, ...SAID.debugOidcParentError })
  readonly debugOidcParentError?: boolean;

  @Flag(10, { optional: true, ...SAID.oidcSingleV1SessionTermination })
  readonly oidcSingleV1SessionTermination?: boolean;

  @Flag(12, { optional: true, deprecated: true, ...SAID.enableBackChannelLogout })
  readonly enableBackChannelLogout?: boolean;

  @Part(13, () => LoginFeatureV2, said('loginV2'))
  readonly loginV2?: LoginFeatureV2;

  @Flag(14, { optional: true, ...SAID.permissionCheckV2 })
  readonly permissionCheckV2?: boolean;

  @Flag(15, { optional: true, ...SAID.consoleUseV2UserApi })
  readonly consoleUseV2UserApi?: boolean;
}

@Named('GetInstanceFeaturesResponseV2')
export class GetInstanceFeaturesResponseV2 {
  @Part(1, () => DetailsV2)
  readonly details!: DetailsV2;

  @Part(2, () => FeatureFlagV2, said('loginDefaultOrg'))
  readonly loginDefaultOrg!: FeatureFlagV2;

  @Part(5, () => FeatureFlagV2, said('userSchema'))
  readonly userSchema!: FeatureFlagV2;

  @Part(6, () => FeatureFlagV2, { deprecated: true, ...said('oidcTokenExchange') })
  readonly oidcTokenExchange!: FeatureFlagV2;

  @Part(8, () => ImprovedPerformanceFeatureFlagV2, said('improvedPerformance'))
  readonly improvedPerformance!: ImprovedPerformanceFeatureFlagV2;

  @Part(10, () => FeatureFlagV2, said('debugOidcParentError'))
  readonly debugOidcParentError!: FeatureFlagV2;

  @Part(11, () => FeatureFlagV2, said('oidcSingleV1SessionTermination'))
  readonly oidcSingleV1SessionTermination!: FeatureFlagV2;

  @Part(13, () => FeatureFlagV2, { deprecated: true, ...said('enableBackChannelLogout') })
  readonly enableBackChannelLogout!: FeatureFlagV2;

  @Part(14, () => LoginV2FeatureFlagV2, said('loginV2'))
  readonly loginV2!: LoginV2FeatureFlagV2;

  @Part(15, () => FeatureFlagV2, said('permissionCheckV2'))
  readonly permissionCheckV2!: FeatureFlagV2;

  @Part(16, () => FeatureFlagV2, said('consoleUseV2UserApi'))
  readonly consoleUseV2UserApi!: FeatureFlagV2;
}
