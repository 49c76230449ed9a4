import type { MigrationInterface } from 'typeorm';
import { Identity1795219200000 } from './1-identity.js';
import { Text1795219200002 } from './2-text.js';
import { Idp1795219200003 } from './3-idp.js';
import { Policy1795219200004 } from './4-policy.js';
import { Management1795219200005 } from './5-management.js';
import { User1795219200006 } from './6-user.js';
import { Client1795219200007 } from './7-client.js';
import { Outbox1795219200008 } from './8-outbox.js';
import { Factor1795219200009 } from './9-factor.js';
import { IdpLogin1795219200010 } from './10-idp-login.js';
import { Login1795219200011 } from './11-login.js';
import { Migration1795219200012 } from './12-migration.js';
import { Job1795219200013 } from './13-job.js';
import { PasswordOrigin1795219200014 } from './14-password-origin.js';
import { ClientEpoch1795219200015 } from './15-client-epoch.js';
import { UnverifiedEmail1795219200016 } from './16-unverified-email.js';
import { AccessTokenHeader1795219200017 } from './17-access-token-header.js';
import { JobLeftOut1795219200018 } from './18-job-left-out.js';
import { StrictAuthMethod1795219200019 } from './19-strict-auth-method.js';
import { OrgName1795219200020 } from './20-org-name.js';
import { BrowserNeverSignedIn1795219200021 } from './21-browser-never-signed-in.js';
import { HashSpeed1795219200022 } from './22-hash-speed.js';
import { AsciiDomain1795219200023 } from './23-ascii-domain.js';
import { PasswordMix1795219200024 } from './24-password-mix.js';
import { EventSequence1795219200025 } from './25-event-sequence.js';
import { SealedRequest1795219200026 } from './26-sealed-request.js';
import { ClientAssertion1795219200027 } from './27-client-assertion.js';
import { EventCursor1795219200028 } from './28-event-cursor.js';
import { PasswordAlone1795219200029 } from './29-password-alone.js';
import { Passkey1795219200030 } from './30-passkey.js';
import { BrowserDevice1795219200031 } from './31-browser-device.js';
import { DeviceAuthorization1795219200032 } from './32-device-authorization.js';
import { PendingEmail1795219200033 } from './33-pending-email.js';
import { Resource1795219200034 } from './34-resource.js';
import { BackChannelLogout1795219200035 } from './35-back-channel-logout.js';
import { SelfDescribedClient1795219200036 } from './36-self-described-client.js';
import { SelfService1795219200037 } from './37-self-service.js';
import { Extension1795219200038 } from './38-extension.js';
import { ProofOfKey1795219200039 } from './39-proof-of-key.js';
import { PushedRequest1795219200040 } from './40-pushed-request.js';
import { Registration1795219200041 } from './41-registration.js';
import { Impersonation1795219200042 } from './42-impersonation.js';
import { SecurityProfile1795219200043 } from './43-security-profile.js';
import { Webhook1795219200044 } from './44-webhook.js';
import { ClientCertificate1795219200045 } from './45-client-certificate.js';
import { SettledDelivery1795219200046 } from './46-settled-delivery.js';
import { IdpSettings1795219200047 } from './47-idp-settings.js';
import { ExternalProof1795219200048 } from './48-external-proof.js';
import { ExtensionGrant1795219200050 } from './50-extension-grant.js';
import { SignedUserinfo1795219200051 } from './51-signed-userinfo.js';
import { EntriesOfUser1795219200052 } from './52-entries-of-user.js';
import { PendingDevices1795219200053 } from './53-pending-devices.js';
import { AdministrationOfApplications1795219200054 } from './54-administration-of-applications.js';
import { Proof1795219200055 } from './55-proof.js';
import { SearchedText1795219200057 } from './57-searched-text.js';
import { EventOfOrg1795219200058 } from './58-event-of-org.js';
import { DevicesOfNetwork1795219200062 } from './62-devices-of-network.js';
import { ShutAccounts1795219200063 } from './63-shut-accounts.js';
import { SignedRequest1795219200064 } from './64-signed-request.js';
import { MailServer1795219200065 } from './65-mail-server.js';
import { LongLists1795219200066 } from './66-long-lists.js';

/** Every schema change, oldest first. Never edit one that was released. */
export const SCHEMA_CHANGES: ReadonlyArray<new () => MigrationInterface> = [
  Identity1795219200000,
  Text1795219200002,
  Idp1795219200003,
  Policy1795219200004,
  Management1795219200005,
  User1795219200006,
  Client1795219200007,
  Outbox1795219200008,
  Factor1795219200009,
  IdpLogin1795219200010,
  Login1795219200011,
  Migration1795219200012,
  Job1795219200013,
  PasswordOrigin1795219200014,
  ClientEpoch1795219200015,
  UnverifiedEmail1795219200016,
  AccessTokenHeader1795219200017,
  JobLeftOut1795219200018,
  StrictAuthMethod1795219200019,
  OrgName1795219200020,
  BrowserNeverSignedIn1795219200021,
  HashSpeed1795219200022,
  AsciiDomain1795219200023,
  PasswordMix1795219200024,
  EventSequence1795219200025,
  SealedRequest1795219200026,
  ClientAssertion1795219200027,
  EventCursor1795219200028,
  PasswordAlone1795219200029,
  Passkey1795219200030,
  BrowserDevice1795219200031,
  DeviceAuthorization1795219200032,
  PendingEmail1795219200033,
  Resource1795219200034,
  BackChannelLogout1795219200035,
  SelfDescribedClient1795219200036,
  SelfService1795219200037,
  Extension1795219200038,
  ProofOfKey1795219200039,
  PushedRequest1795219200040,
  Registration1795219200041,
  Impersonation1795219200042,
  SecurityProfile1795219200043,
  Webhook1795219200044,
  ClientCertificate1795219200045,
  SettledDelivery1795219200046,
  IdpSettings1795219200047,
  ExternalProof1795219200048,
  ExtensionGrant1795219200050,
  SignedUserinfo1795219200051,
  EntriesOfUser1795219200052,
  PendingDevices1795219200053,
  AdministrationOfApplications1795219200054,
  Proof1795219200055,
  SearchedText1795219200057,
  EventOfOrg1795219200058,
  DevicesOfNetwork1795219200062,
  ShutAccounts1795219200063,
  SignedRequest1795219200064,
  MailServer1795219200065,
  LongLists1795219200066,
];
