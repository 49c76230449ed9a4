/*
 * The entry `gatehouse/testing`: Gatehouse in the process of a test, and the contracts of the seams. The service never
 * loads it.
 */
import 'reflect-metadata';
import './one-copy.js';

export { Clock } from '../../foundation/time/clock.js';
export type { MailTransport, OutgoingMail } from '../../mail/transport/mail-transport.js';
export type { JsonValue } from '../../token/claims/claims-contributor.js';
export { AdminApi, type Json } from '../testing/admin-api.js';
export { type Arrival, Browser, Page, type PageElement, type PageForm, type Way } from '../testing/browser.js';
export {
  type ApplicationInput,
  Builders,
  PASSWORD,
  type TestClient,
  type TestOrg,
  type TestPerson,
  type UserInput,
} from '../testing/builders.js';
export { type CallBehaviour, CallReceiver, type ReceivedCall } from '../testing/call-receiver.js';
export { type AdminRouteContractInput, adminRouteContract } from '../testing/contract/admin-route.contract.js';
export { type ClaimsContractInput, claimsContract } from '../testing/contract/claims.contract.js';
export { ContractBroken, type ContractCase, type GivenWorld } from '../testing/contract/contract.js';
export { directoryKindContract } from '../testing/contract/directory-kind.contract.js';
export {
  type DirectoryKindContractInput,
  type DirectoryMisbehaviour,
  type DirectoryPerson,
} from '../testing/contract/directory-kind-stage.js';
export { type EventListenerContractInput, eventListenerContract } from '../testing/contract/event-listener.contract.js';
export { type ExtensionContractInput, extensionContract } from '../testing/contract/extension.contract.js';
export { type GrantContractInput, grantContract } from '../testing/contract/grant.contract.js';
export { idpKindContract } from '../testing/contract/idp-kind.contract.js';
export {
  type IdpKindContractInput,
  type ProviderAccount,
  type ProviderMisbehaviour,
} from '../testing/contract/idp-kind-stage.js';
export { type LoginStepContractInput, loginStepContract } from '../testing/contract/login-step.contract.js';
export {
  type ArrivedMail,
  type MailReceiver,
  type MailTransportContractInput,
  mailTransportContract,
} from '../testing/contract/mail-transport.contract.js';
export { type OwnRouteContractInput, ownRouteContract } from '../testing/contract/own-route.contract.js';
export { type PageSlotContractInput, pageSlotContract } from '../testing/contract/page-slot.contract.js';
export { type ProtocolContractInput, protocolContract } from '../testing/contract/protocol.contract.js';
export { type UserRuleContractInput, userRuleContract } from '../testing/contract/user-rule.contract.js';
export { FixedClock, type Span } from '../testing/fixed-clock.js';
export { type Headers, type Parameters, Reply, type Sent } from '../testing/http.js';
export { type MailAddress, type MailBehaviour, MailServer, mailingBy, type TakenMail } from '../testing/mail-server.js';
export type { BrowserProgram } from '../testing/page-viewer.js';
export {
  type Answer,
  type Pkce,
  type Place,
  RelyingParty,
  type Tokens,
  type VerifiedClaims,
} from '../testing/relying-party.js';
export { openSink, type Sink } from '../testing/sink.js';
export { statementsDuring } from '../testing/statement-counter.js';
export {
  STRANGER_CLIENT_ID,
  STRANGER_SECRET,
  type StrangerOptions,
  StrangerProvider,
} from '../testing/stranger-provider.js';
export { startWorld, World } from '../testing/world.js';
export type { AnyExtension, WorldOptions } from '../testing/world-options.js';
