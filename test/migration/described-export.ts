import {
  type Entry,
  type Person,
  PROVIDER_KIND,
  type Provider,
  type Source,
  type SourceOrg,
} from './described-system.js';
import { PUBLIC_KEY } from './document.js';

/*
 * The export that the described system writes: in the order, the forms and with the peculiarities of its own code. The
 * document is made of the model by rules, so that a peculiarity appears wherever the model has what it concerns.
 */

/** As protocol buffers write a duration. */
const duration = (milliseconds: number): string =>
  `${(milliseconds / 1_000).toFixed(milliseconds % 1_000 === 0 ? 0 : 3)}s`;
const hours = (count: number): string => duration(count * 3_600_000);
const base64 = (text: string): string => Buffer.from(text).toString('base64');
/** Nothing that is empty is written. */
const filled = (entry: Entry): Entry =>
  Object.fromEntries(
    Object.entries(entry).filter(
      ([, value]) =>
        value !== undefined && value !== '' && value !== false && !(Array.isArray(value) && value.length === 0),
    ),
  );

/**
 * What it writes of organizations. `excluded`: places of organizations that were not wanted stay in the list, empty.
 */
export function exportOf(source: Source, { excluded = 0 } = {}): { orgs: Entry[] } {
  return { orgs: [...source.orgs.map((org) => orgOf(org, source)), ...Array.from({ length: excluded }, () => ({}))] };
}

function orgOf(org: SourceOrg, source: Source): Entry {
  return filled({
    orgId: org.id,
    org: { name: org.name },
    ...policiesOf(org),
    ...textsOf(org),
    domains: org.domains.map((domainName, index) =>
      filled({
        orgId: org.id,
        domainName,
        isVerified: !domainName.startsWith('unproven'),
        isPrimary: index === 0,
        validationType: domainName.startsWith('unproven') ? 'DOMAIN_VALIDATION_TYPE_DNS' : undefined,
      }),
    ),
    oidcIdps: org.providers.filter(({ kind }) => kind === 'oidc').map(oidcIdpOf),
    jwtIdps: org.providers.filter(({ kind }) => kind === 'jwt').map(jwtIdpOf),
    userLinks: org.people.flatMap((person) =>
      (person.links ?? []).map(([idpId, subject]) =>
        linkOf(person, idpId, subject, [...org.providers, ...source.instanceProviders]),
      ),
    ),
    humanUsers: org.people.map(humanOf),
    machineUsers: org.services.map(({ id, userName }) => ({ userId: id, user: { userName } })),
    userMetadata: org.people.flatMap(({ id, metadata = {} }) =>
      Object.entries(metadata).map(([key, value]) => ({ id, key, value: base64(value) })),
    ),
    machineKeys: org.services
      .filter(({ keyId }) => keyId !== undefined)
      .map(({ id, keyId }) => ({
        keyId,
        userId: id,
        type: 'KEY_TYPE_JSON',
        expirationDate: '9999-12-31T23:59:59Z',
        publicKey: PUBLIC_KEY,
      })),
    ...projectsOf(org),
    actions: [
      {
        actionId: `${org.id}-action`,
        action: {
          name: 'setName',
          script: 'function setName(ctx, api) {}',
          timeout: duration(500),
          allowedToFail: true,
        },
      },
    ],
    triggerActions: [
      { flowType: '1', triggerType: '2', actionIds: [`${org.id}-action`] },
      { flowType: '3', triggerType: '1' },
    ],
    userGrants: org.userGrants.map(({ userId, projectId, grantId = '', roles }) =>
      filled({ userId, projectId, projectGrantId: grantId, roleKeys: roles }),
    ),
    orgMembers: org.managers.map(([userId, ...roles]) => ({ userId, roles })),
    // Of the projects of all organizations, whichever organization this is.
    projectMembers: source.orgs.flatMap(({ projects }) =>
      projects.flatMap(({ id, managers }) =>
        managers.map(([userId, role]) => ({ projectId: id, userId, roles: [role] })),
      ),
    ),
    projectGrantMembers: source.orgs.flatMap(({ projects }) =>
      projects.flatMap((project) =>
        project.grants
          .filter(({ orgId }) => orgId === org.id)
          .flatMap(({ id, managers }) =>
            managers.map((userId) => ({ projectId: project.id, grantId: id, userId, roles: ['PROJECT_GRANT_OWNER'] })),
          ),
      ),
    ),
  });
}

function policiesOf(org: SourceOrg): Entry {
  const own = new Set(org.providers.filter(({ kind }) => kind === 'oidc' || kind === 'jwt').map(({ id }) => id));
  return {
    domainPolicy: { orgId: org.id, userLoginMustBeDomain: true, smtpSenderAddressMatchesInstanceDomain: true },
    labelPolicy: {
      primaryColor: '#5469d4',
      hideLoginNameSuffix: true,
      warnColor: '#cd3d56',
      backgroundColor: '#fafafa',
      fontColor: '#000000',
      primaryColorDark: '#2073c4',
      disableWatermark: true,
    },
    loginPolicy: filled({
      allowUsernamePassword: true,
      allowExternalIdp: true,
      passwordlessType: 'PASSWORDLESS_TYPE_ALLOWED',
      passwordCheckLifetime: hours(240),
      externalLoginCheckLifetime: hours(240),
      mfaInitSkipLifetime: hours(720),
      secondFactorCheckLifetime: hours(18),
      multiFactorCheckLifetime: hours(12),
      secondFactors: ['SECOND_FACTOR_TYPE_OTP', 'SECOND_FACTOR_TYPE_U2F'],
      multiFactors: ['MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION'],
      // Whatever is neither OIDC nor JWT of its own counts as the instance's.
      idps: org.offers.map((idpId) => ({
        idpId,
        ownerType: own.has(idpId) ? 'IDP_OWNER_TYPE_ORG' : 'IDP_OWNER_TYPE_SYSTEM',
      })),
    }),
    lockoutPolicy: { maxPasswordAttempts: 5 },
    passwordComplexityPolicy: { minLength: '10', hasLowercase: true, hasNumber: true },
    privacyPolicy: {
      tosLink: 'https://birkenhof.example/{{.Lang}}/tos',
      supportEmail: 'hilfe@birkenhof.example',
      customLink: 'https://birkenhof.example',
      customLinkText: 'Birkenhof',
    },
  };
}

function oidcIdpOf({ id, name, issuer = 'https://sso.birkenhof.example' }: Provider): Entry {
  return {
    idpId: id,
    idp: {
      name,
      stylingType: 'STYLING_TYPE_GOOGLE',
      clientId: 'birkenhof',
      clientSecret: 'secret-of-the-provider',
      issuer,
      scopes: ['openid', 'email'],
      displayNameMapping: 'OIDC_MAPPING_FIELD_EMAIL',
      autoRegister: true,
    },
  };
}

function jwtIdpOf({ id, name }: Provider): Entry {
  return {
    idpId: id,
    idp: {
      name,
      jwtEndpoint: 'https://edge.birkenhof.example/jwt',
      issuer: 'https://edge.birkenhof.example',
      keysEndpoint: 'https://edge.birkenhof.example/keys',
      headerName: 'x-edge-token',
    },
  };
}

function linkOf(person: Person, idpId: string, subject: string, providers: readonly Provider[]): Entry {
  const provider = providers.find(({ id }) => id === idpId)!;
  const kind = PROVIDER_KIND[provider.kind];
  return {
    userId: person.id,
    idpId,
    idpName: provider.name,
    providedUserId: subject,
    providedUserName: person.userName,
    idpType: kind === 1 ? 'IDP_TYPE_OIDC' : kind,
  };
}

function humanOf({ id, userName, firstName = 'Ilse', language = 'und', email, phone, hash, seed }: Person): Entry {
  return {
    userId: id,
    user: filled({
      userName,
      profile: {
        firstName,
        lastName: 'Brandt',
        displayName: `${firstName} Brandt`,
        preferredLanguage: language,
        gender: 'GENDER_DIVERSE',
      },
      email: email && { email, isEmailVerified: true },
      phone: phone && { phone, isPhoneVerified: true },
      hashedPassword: hash && { value: hash },
      otpCode: seed,
    }),
  };
}

function projectsOf({ projects }: SourceOrg): Entry {
  const apps = projects.flatMap((project) => project.apps.map((app) => ({ project, app })));
  return {
    projects: projects.map(({ id, name }) => ({
      projectId: id,
      project: {
        name,
        projectRoleAssertion: true,
        privateLabelingSetting: 'PRIVATE_LABELING_SETTING_ALLOW_LOGIN_USER_RESOURCE_OWNER_POLICY',
      },
    })),
    projectRoles: projects.flatMap(({ id, roles }) => roles.map((roleKey) => ({ projectId: id, roleKey }))),
    oidcApps: apps
      .filter(({ app }) => app.oidc !== undefined)
      .map(({ project, app }) => ({
        appId: app.id,
        app: { projectId: project.id, name: app.name, clockSkew: '0s', ...app.oidc },
      })),
    apiApps: apps
      .filter(({ app }) => app.oidc === undefined)
      .map(({ project, app }) => ({
        appId: app.id,
        app: filled({
          projectId: project.id,
          name: app.name,
          authMethodType: app.key && 'API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT',
        }),
      })),
    appKeys: apps.flatMap(({ project, app }) =>
      app.key
        ? [
            {
              id: app.key.id,
              projectId: project.id,
              appId: app.id,
              clientId: app.key.clientId,
              type: 'KEY_TYPE_JSON',
              expirationDate: '2031-01-01T00:00:00Z',
              publicKey: PUBLIC_KEY,
            },
          ]
        : [],
    ),
    projectGrants: projects.flatMap(({ id, grants }) =>
      grants.map((grant) => ({
        grantId: grant.id,
        projectGrant: { projectId: id, grantedOrgId: grant.orgId, roleKeys: grant.roles },
      })),
    ),
  };
}

function textsOf(org: SourceOrg): Entry {
  const message = (text: string, language = 'de'): Entry => ({
    language,
    title: `${org.name}`,
    preHeader: 'Vorab',
    subject: 'Konto',
    greeting: 'Hallo {{.DisplayName}},',
    text,
    buttonText: 'Anmelden',
    footerText: 'Ende',
  });
  // As its default text says it, with a field that its own templates do not fill in.
  const claimed = [
    message(
      'The domain {{.Domain}} has been claimed by an organization. Your current user {{.Username}} is not part of it. We have created a temporary username ({{.TempUsername}}) for this login.',
    ),
  ];
  const code = [message('Mit {{.Code}}, {{.PreferredLoginName}}')];
  return {
    loginTexts: [
      {
        language: 'de',
        selectAccountText: { title: 'Konto wählen' },
        loginText: { title: 'Willkommen', loginNameLabel: 'Anmeldename' },
        footerText: { tos: 'AGB', help: 'Hilfe' },
      },
    ],
    initMessages: code,
    passwordResetMessages: code,
    verifyEmailMessages: code,
    verifyPhoneMessages: code,
    verifySmsOtpMessages: [{ language: 'de', text: '{{.OTP}} für {{.Domain}}' }],
    verifyEmailOtpMessages: [message('{{.OTP}} gilt {{.Expiry}}')],
    inviteUserMessages: code,
    domainClaimedMessages: claimed,
    // Read from the texts about a claimed domain.
    passwordlessRegistrationMessages: claimed,
  };
}
