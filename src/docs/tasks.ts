/** Something that an administrator wants to get done, and the operations that do it, in order. */
export interface Task {
  readonly title: string;
  /** Other words by which people look for the task. */
  readonly also?: string;
  readonly steps: ReadonlyArray<readonly [operationId: string, what: string]>;
}

/** The first thing on the page at /docs. A test checks that every operation exists. */
export const TASKS: readonly Task[] = [
  {
    title: 'Let people sign in to my application',
    also: 'add an app, client id and secret, OIDC client, single page application, callback URL',
    steps: [
      ['AddProject', 'create a project'],
      ['AddOIDCApp', 'register the application; the answer contains its client ID'],
      ['AddProjectRole', 'name the roles of the project'],
      ['AddUserGrant', 'give a user a role'],
    ],
  },
  {
    title: 'Give roles to many users at once',
    also: 'group, team, department, membership, claim groups',
    steps: [
      ['CreateGroup', 'name a group'],
      ['AddGroupMembers', 'add users of the organization'],
      ['AddGroupGrant', 'grant roles of a project to all members, now and later'],
    ],
  },
  {
    title: 'Let a television or a command line sign in',
    steps: [
      ['AddOIDCApp', 'register it with the grant type device code; a native application needs no secret'],
      ['StartDeviceAuthorization', 'as the device: get a code and the address where its user types it'],
      ['IssueToken', 'as the device: ask until the user has agreed'],
    ],
  },
  {
    title: 'Protect an API or an MCP server',
    also: 'resource server, audience, bearer tokens',
    steps: [
      ['SetProjectResources', 'name it by its URI, as clients do'],
      ['AddAPIApp', 'if it asks about tokens instead of reading them'],
    ],
  },
  {
    title: 'Let support staff act for users, or an API pass a token on',
    also: 'impersonate, impersonation, token exchange, on behalf',
    steps: [
      ['AddOIDCApp', 'register a confidential application with the grant type token exchange'],
      [
        'SetSecurityPolicy',
        'allow users to act for others; an API that exchanges tokens of its users does not need it',
      ],
      ['AddOrgMember', 'give the one who acts the role ORG_END_USER_IMPERSONATOR'],
      ['IssueToken', 'as the application: exchange the token of the user, with that of the one who acts'],
    ],
  },
  {
    title: 'Hold an application to the FAPI 2.0 Security Profile',
    steps: [
      ['AddOIDCApp', 'register it with private_key_jwt, its keys as jwks or jwksUri, and SECURITY_PROFILE_FAPI_2_0'],
      ['UpdateOIDCAppConfig', 'or switch the profile on later: whatever contradicts it is named'],
      ['CreatePushedAuthorizationRequest', 'as the application: push each request first'],
      ['IssueToken', 'as the application: redeem the code with a DPoP proof'],
    ],
  },
  {
    title: 'Let an application authenticate by a TLS certificate, or bind its tokens to one',
    steps: [
      [
        'AddOIDCApp',
        'register it with OIDC_AUTH_METHOD_TYPE_TLS_CLIENT_AUTH and the name of its certificate; the operator sets CLIENT_CERT_HEADER',
      ],
      ['AddAPIApp', 'or an API that introspects, with API_AUTH_METHOD_TYPE_TLS_CLIENT_AUTH'],
      ['GetAppByID', 'see in complianceProblems whether certificates are read and verified here'],
      ['UpdateOIDCAppConfig', 'renew self-signed certificates in jwks, or bind tokens with tlsBoundAccessTokens'],
    ],
  },
  {
    title: 'Make an application stricter than OAuth is by itself',
    steps: [
      [
        'UpdateOIDCAppConfig',
        'demand pushed requests, signed requests or bound tokens (requirePushedRequests, requireSignedRequests, dpopBoundAccessTokens)',
      ],
      ['CreatePushedAuthorizationRequest', 'as the application: push a request first'],
      ['IssueToken', 'as the application: redeem its code, with a DPoP proof if tokens must be bound'],
    ],
  },
  {
    title: 'Give an application its userinfo signed, or fetch its signed requests from its own server',
    steps: [
      [
        'UpdateOIDCAppConfig',
        'set signedUserinfo, or name the addresses of its request objects in requestUris; the operator sets REQUEST_URI=registered',
      ],
      ['GetAppByID', 'see in complianceProblems whether request objects are fetched here'],
      ['GetProviderMetadata', 'see in userinfo_signing_alg_values_supported how userinfo is signed'],
    ],
  },
  {
    title: 'Let applications register themselves',
    steps: [
      ['AddRegistrationToken', 'create a token for those who may; the operator sets REGISTRATION=token'],
      ['CreateClientRegistration', 'as the application: register with the token'],
      ['RemoveRegisteredApps', 'remove those that nothing has used for some time'],
    ],
  },
  {
    title: 'Add a user',
    also: 'create an account, invite, onboard a new employee',
    steps: [
      ['AddHumanUser', 'create the user; an e-mail invites them to set a password'],
      ['ResendHumanInitialization', 'send that e-mail again'],
      ['AddUserGrant', 'give the user a role in a project'],
    ],
  },
  {
    title: 'Somebody cannot sign in',
    also: 'why, user cannot log in, login fails, failed logins, login failures, locked out, wrong password, forgot password, lost phone, reset MFA',
    steps: [
      ['ListAllUsers', 'find the user in any organization'],
      ['ExplainSignIn', 'read why they cannot sign in, and which operation changes that'],
      ['UnlockUser', 'unlock a user after too many wrong passwords'],
      ['SendHumanResetPasswordNotification', 'send a link to choose a new password'],
      ['ListHumanAuthFactors', 'see their second factors'],
      ['RemoveHumanAuthFactorOTP', 'remove the authenticator app of a lost phone'],
      ['ListHumanPasswordless', 'see their passkeys'],
      ['SendPasswordlessRegistration', 'send them a link to add a passkey'],
      ['RemoveHumanPasswordless', 'remove the passkey of a lost device'],
      ['ListMails', 'see whether the e-mail was delivered'],
    ],
  },
  {
    title: 'Somebody has left, or an account was taken over',
    also: 'offboard, sign out everywhere, revoke access, block, delete user, end sessions, hacked',
    steps: [
      ['ListUserSessions', 'see where the user is signed in'],
      ['EndUserSessions', 'sign them out everywhere'],
      ['LockUser', 'lock the user for now'],
      ['RemoveUser', 'remove the user for good'],
    ],
  },
  {
    title: 'Our look',
    also: 'branding, theme, logo, colors, customize the login page',
    steps: [
      ['UpdateLabelPolicy', 'choose the colors'],
      ['SetLabelPolicyLogo', 'upload the logo'],
      ['PreviewLoginPage', 'look at the login page with them'],
      ['ActivateLabelPolicy', 'put the preview into effect'],
    ],
  },
  {
    title: 'German e-mails, and other texts',
    also: 'translation, language, customize e-mail templates, message, wording',
    steps: [
      ['GetDefaultInitMessageText', 'read the built-in text in a language'],
      ['PreviewMessageText', 'see the e-mail as its reader will'],
      ['SetDefaultInitMessageText', 'replace the text'],
      ['SetDefaultLanguage', 'choose the language for users without one'],
      ['SetCustomLoginText', 'change the texts of the login pages'],
    ],
  },
  {
    title: 'Who did what',
    also: 'audit log, who changed something, history of changes, events, failed sign-ins',
    steps: [
      ['ListEvents', 'search all changes, newest first'],
      ['ListOrgEvents', 'the same for one organization'],
      ['ListEventTypes', 'list the kinds of changes to search for'],
    ],
  },
  {
    title: 'Sign in with Google, Microsoft or our company directory',
    also: 'identity provider, SSO, Entra, Azure AD, Okta, GitHub, Keycloak, federation, social login',
    steps: [
      ['AddGenericOIDCProvider', 'register the provider; it is tested, and offered if it works'],
      ['AddExtensionProvider', 'the same for a provider whose kind an extension brings'],
      ['TestIDP', 'test it again after a correction'],
      ['ReactivateIDP', 'offer it to people'],
      ['AddIDPToLoginPolicy', 'offer it, if the login policy lists the providers to offer'],
    ],
  },
  {
    title: 'Require a second factor',
    also: 'force MFA, 2FA, enforce TOTP, two-factor authentication',
    steps: [
      ['ListLoginPolicySecondFactors', 'see which second factors are allowed'],
      ['AddSecondFactorToLoginPolicy', 'allow another one'],
      ['UpdateLoginPolicy', 'require one with `forceMfa`: load what is there, change it, send it'],
    ],
  },
  {
    title: 'Password rules and lockout',
    also: 'min password length, strength, special characters, expiry, brute force, failed logins',
    steps: [
      ['UpdatePasswordComplexityPolicy', 'what a password must contain'],
      ['UpdatePasswordAgePolicy', 'when it expires'],
      ['UpdateLockoutPolicy', 'after how many wrong attempts a user is locked'],
    ],
  },
  {
    title: 'Another organization',
    also: 'tenant, multi tenancy, customer, realm',
    steps: [
      ['SetUpOrg', 'create it with a user who manages it'],
      ['AddOrgDomain', 'add its domain'],
      ['GenerateOrgDomainValidation', 'get the proof to publish'],
      ['ValidateOrgDomain', 'verify the domain'],
    ],
  },
  {
    title: 'Share the administration',
    also: 'make someone an administrator, admin rights, manager role, owner',
    steps: [
      ['ListOrgMemberRoles', 'see the manager roles'],
      ['AddOrgMember', 'let a user manage the organization'],
      ['AddIAMMember', 'let a user manage the whole instance'],
    ],
  },
  {
    title: 'Access for a program',
    also: 'API token, API key, service account, machine to machine, client credentials, script',
    steps: [
      ['AddMachineUser', 'create a service user'],
      ['AddPersonalAccessToken', 'give it a token, or'],
      ['AddMachineKey', 'a key'],
      ['AddOrgMember', 'let it manage the organization'],
    ],
  },
  {
    title: 'Send e-mails through our mail server',
    also: 'SMTP, configure a mail server, change the sender, SMTP password, relay, SendGrid, Amazon SES',
    steps: [
      ['GetMailSettings', 'see how e-mails are sent now'],
      ['TestSMTPConfig', 'try the settings of a mail server'],
      ['AddSMTPConfig', 'store them'],
      ['ActivateSMTPConfig', 'send all e-mails by it'],
      ['SendTestMail', 'send a test e-mail'],
    ],
  },
  {
    title: 'E-mails do not arrive',
    also: 'SMTP, mail server, sender, cannot receive the verification code, mail not delivered',
    steps: [
      ['GetMailSettings', 'see how e-mails are sent'],
      ['SendTestMail', 'send a test e-mail'],
      ['ListMails', 'see which e-mails wait or failed, and why'],
      ['RetryMail', 'send one again'],
    ],
  },
  {
    title: 'An application keeps people signed in after they have signed out',
    also: 'back-channel logout, single logout',
    steps: [
      ['UpdateOIDCAppConfig', 'give it a `backChannelLogoutUri`, which is called when a session ends'],
      ['ListLogoutNotices', 'see which calls wait or failed, and why'],
      ['RetryLogoutNotice', 'call it again'],
    ],
  },
  {
    title: 'Tell another service what happens',
    also: 'webhook, Slack notification, notify, callback, event',
    steps: [
      ['AddWebhook', 'name its address and the types of events; the answer contains the secret that signs the calls'],
      ['TestWebhook', 'call it once'],
      ['ListWebhookDeliveries', 'see what waits or was given up, and why'],
      ['ReplayWebhook', 'deliver what happened since a time once more'],
      ['RegenerateWebhookSecret', 'change the secret; both are valid for a day'],
    ],
  },
  {
    title: 'Move from or to another instance',
    also: 'backup, restore, migrate users, export, import, dry run, legacy application',
    steps: [
      ['ExportData', 'export organizations'],
      ['ImportData', 'import them; with `dryRun` nothing is written'],
      ['GetMigrationJob', 'follow a large one'],
    ],
  },
  {
    title: 'Keys and lifetimes of tokens',
    also: 'rotate signing keys, token expiration, session lifetime, JWKS, certificate',
    steps: [
      ['ListSigningKeys', 'see the signing keys'],
      ['CreateSigningKey', 'publish the next one'],
      ['ActivateSigningKey', 'sign with it'],
      ['UpdateOIDCSettings', 'set how long tokens live'],
    ],
  },
];

/** Other words by which people look for single operations, where those of the API are not theirs. */
export const ALSO_SAID: Readonly<Record<string, string>> = {
  AddOIDCApp: 'redirect URI, callback URL, client secret of an application',
  UpdateOIDCAppConfig: 'redirect URI, callback URL, post logout URI, CORS',
  RegenerateOIDCClientSecret: 'change the client secret of an application, rotate',
  RegenerateAPIClientSecret: 'change the client secret of an API, rotate',
  CreateSigningKey: 'rotate signing keys',
  ActivateSigningKey: 'rotate signing keys',
  UpdateLoginPolicy: 'self registration, sign up, session lifetime, password login, force MFA, login page',
  UpdateCustomLoginPolicy: 'self registration, sign up, session lifetime, force MFA',
  SetUserMetadata: 'custom attribute of a user, custom claim',
  BulkSetUserMetadata: 'custom attributes of a user',
  CreateInviteCode: 'invitation of a user to an organization',
  EndUserSession: 'revoke a session, administrator',
  EndUserSessions: 'revoke all sessions and tokens, force logout',
  ListUsers: 'find a user by e-mail or name, count users',
  ListAllUsers: 'find a user by e-mail or name in all organizations',
  ListEvents: 'audit log, who changed what, failed sign-ins, last login',
  ListOrgEvents: 'audit log of an organization',
  UpdateOIDCSettings: 'access token expiration, refresh token expiration, session lifetime',
  RemoveHumanAuthFactorOTP: 'reset MFA, TOTP, lost phone',
  UpdateHumanEmail: 'change, verify',
  GetMailSettings: 'SMTP server, sender',
  AddSMTPConfig: 'mail server, e-mail provider, sender',
  UpdateSMTPConfig: 'change the mail server, the sender',
  SetSecurityPolicy: 'impersonation, iframe, embedding',
  AddGenericOIDCProvider: 'SSO, Google, Microsoft, Azure AD, Entra, Okta, Keycloak',
  RemoveApp: 'delete an application',
};
