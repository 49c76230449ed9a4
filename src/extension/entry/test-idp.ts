/*
 * The entry `gatehouse/test-idp`: Gatehouse for the tests of applications, in a process of its own. It loads nothing of
 * the service.
 */
export type { IdpApplication, IdpServiceUser, IdpUser } from '../test-idp/cast.js';
export type {
  ArmedFault,
  FaultEndpoint,
  FaultKind,
  FaultMishap,
  FaultOptions,
  TokenFault,
} from '../test-idp/fault.js';
export type {
  Fixture,
  FixtureApplication,
  FixtureApplicationKind,
  FixtureOrganization,
  FixtureProject,
  FixtureServiceUser,
  FixtureSettings,
  FixtureUser,
  FixtureValue,
} from '../test-idp/fixture.js';
export {
  type BrowseOptions,
  Idp,
  type IdpClock,
  type IdpFaults,
  type IdpMails,
  type SignInOptions,
  type WhichUser,
} from '../test-idp/idp.js';
export type { IdpMail } from '../test-idp/mails.js';
export type { IdpLanding, IdpState, IdpTime, IdpTokens } from '../test-idp/protocol.js';
export { connectIdp, type StartIdpOptions, startIdp } from '../test-idp/start-idp.js';
