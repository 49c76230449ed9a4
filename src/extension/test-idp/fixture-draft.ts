import { createHash, randomBytes } from 'node:crypto';
import type { Cast, CastApplication, CastServiceUser, CastUser } from './cast.js';
import type {
  Fixture,
  FixtureApplication,
  FixtureApplicationKind,
  FixtureOrganization,
  FixtureProject,
  FixtureServiceUser,
  FixtureUser,
} from './fixture.js';
import type { FixtureMistake } from './fixture-mistake.js';

export const PASSWORD = 'Correct-Horse-7';
/** Registered where any of this machine will do, so that there is one. */
const ANY_LOOPBACK = 'http://localhost/callback';

type Path = readonly (string | number)[];
type Entry = Readonly<Record<string, unknown>>;

interface Kind {
  readonly appType: string;
  readonly authMethodType: string;
  readonly grantTypes: readonly string[];
  readonly hasSecret: boolean;
}

const CODE = ['OIDC_GRANT_TYPE_AUTHORIZATION_CODE', 'OIDC_GRANT_TYPE_REFRESH_TOKEN'];
const NONE = 'OIDC_AUTH_METHOD_TYPE_NONE';
const BASIC = 'OIDC_AUTH_METHOD_TYPE_BASIC';
const KINDS: Readonly<Record<Exclude<FixtureApplicationKind, 'api'>, Kind>> = {
  web: { appType: 'OIDC_APP_TYPE_WEB', authMethodType: BASIC, grantTypes: CODE, hasSecret: true },
  browser: { appType: 'OIDC_APP_TYPE_USER_AGENT', authMethodType: NONE, grantTypes: CODE, hasSecret: false },
  native: { appType: 'OIDC_APP_TYPE_NATIVE', authMethodType: NONE, grantTypes: CODE, hasSecret: false },
  device: {
    appType: 'OIDC_APP_TYPE_NATIVE',
    authMethodType: NONE,
    grantTypes: ['OIDC_GRANT_TYPE_DEVICE_CODE', 'OIDC_GRANT_TYPE_REFRESH_TOKEN'],
    hasSecret: false,
  },
};

/** One organization of the document, as far as it is written. */
class Section {
  readonly lists = new Map<string, Entry[]>();

  constructor(
    readonly place: number,
    readonly id: string,
    readonly own: Entry,
  ) {}

  toDocument(): Entry {
    return { orgId: this.id, ...this.own, ...Object.fromEntries(this.lists) };
  }
}

/** Turns a fixture into a document of the administrative API, and knows from which member each entry comes. */
export class FixtureDraft {
  readonly mistakes: FixtureMistake[] = [];
  private readonly sections = new Map<string, Section>();
  private readonly origins = new Map<string, Path>();
  private readonly groups = new Set<string>();

  /** @param cast is complemented with what the fixture has */
  constructor(
    private readonly fixture: Fixture,
    private readonly cast: Cast,
  ) {
    if (cast.organizations.size === 0 && Object.keys(fixture.organizations ?? {}).length === 0)
      this.addOrganization('acme', { name: 'Acme' });
    this.each('organizations', (name, one) => this.addOrganization(name, one));
    if (cast.projects.size === 0 && Object.keys(fixture.projects ?? {}).length === 0) this.addProject('main', {});
    this.each('projects', (name, one) => this.addProject(name, one));
    this.each('applications', (name, one) => this.addApplication(name, one));
    this.each('users', (name, one) => this.addUser(name, one));
    this.each('serviceUsers', (name, one) => this.addServiceUser(name, one));
  }

  get document(): { readonly orgs: readonly Entry[] } {
    return { orgs: [...this.sections.values()].map((section) => section.toDocument()) };
  }

  /** The member of the fixture that a place of the document comes from: `orgs[0].humanUsers[1].user.userName`. */
  originOf(place: string): Path {
    const [, entry = '', rest = ''] = /^(orgs\[\d+\](?:\.\w+\[\d+\])?)\.?(.*)$/.exec(place) ?? [];
    const origin = this.origins.get(entry);
    if (!origin) return [place];
    const words = rest.split(/[.[\]]+/).filter((word) => word !== '');
    // One that is nearer than an entry has no members but those of a list.
    return [
      ...origin,
      ...(origin.length > 2 ? words.filter((word) => /^\d+$/.test(word)) : membersOf(origin[0], words)),
    ];
  }

  /** The place of what was left out of an object. */
  placeOf(type: string, id: string, within: string): string {
    const [list, key] = LISTS[type] ?? [];
    for (const section of this.sections.values()) {
      if (type === 'org' && section.id === id) return `orgs[${section.place}].${within}`;
      const index = (section.lists.get(list ?? '') ?? []).findIndex((entry) => key !== undefined && entry[key] === id);
      if (index >= 0) return `orgs[${section.place}].${list}[${index}].${within}`;
    }
    return `${type} ${id} ${within}`;
  }

  get needsEmailCodes(): boolean {
    return Object.values(this.fixture.users ?? {}).some((user) => user?.emailCode === true);
  }

  private each<Name extends keyof Fixture>(
    member: Name,
    add: (name: string, one: NonNullable<Fixture[Name]>[string]) => void,
  ): void {
    const all = (this.fixture[member] ?? {}) as Readonly<Record<string, NonNullable<Fixture[Name]>[string] | null>>;
    for (const [name, one] of Object.entries(all)) add(name, one ?? ({} as NonNullable<Fixture[Name]>[string]));
  }

  private addOrganization(
    name: string,
    { name: title = name, domain = `${name}.test`, settings }: FixtureOrganization,
  ): void {
    this.cast.organizations.set(name, { name, id: name, domain });
    const section = new Section(this.sections.size, name, { org: { name: title }, ...settings });
    this.sections.set(name, section);
    this.origins.set(`orgs[${section.place}]`, ['organizations', name]);
    this.put(name, 'domains', { domainName: domain, isVerified: true, isPrimary: true }, [
      'organizations',
      name,
      'domain',
    ]);
  }

  private addProject(name: string, { name: title = name, organization, roles = [], settings }: FixtureProject): void {
    const origin = ['projects', name];
    const orgId = this.idOf('organizations', organization, origin, 'organization');
    this.cast.projects.set(name, { name, id: name, organizationId: orgId });
    this.put(orgId, 'projects', { projectId: name, project: { name: title, ...settings } }, origin);
    for (const key of roles)
      this.put(orgId, 'projectRoles', { projectId: name, roleKey: key, displayName: key }, [...origin, 'roles']);
  }

  private addApplication(name: string, given: FixtureApplication): void {
    const origin = ['applications', name];
    const { kind = 'web', clientId = name, project, settings } = given;
    const projectId = this.idOf('projects', project, origin, 'project');
    const orgId = [...this.cast.projects.values()].find(({ id }) => id === projectId)?.organizationId ?? '';
    const hasSecret = kind === 'api' || KINDS[kind].hasSecret;
    const clientSecret = hasSecret ? (given.secret ?? randomBytes(32).toString('base64url')) : undefined;
    const anyLoopback =
      given.anyLoopbackRedirect ?? (given.redirectUris === undefined && kind !== 'api' && kind !== 'device');
    const redirectUris = given.redirectUris ?? (anyLoopback ? [ANY_LOOPBACK] : []);
    const id = `app-${name}`; // a name may be a word of the paths below it: `api`
    const entry = {
      appId: id,
      clientId,
      ...(clientSecret === undefined ? {} : { secretHash: createHash('sha256').update(clientSecret).digest('base64') }),
    };
    if (kind === 'api') {
      const app = { projectId, name, authMethodType: 'API_AUTH_METHOD_TYPE_BASIC', ...settings };
      this.put(orgId, 'apiApps', { ...entry, app }, origin);
    } else {
      const { hasSecret: _, ...usual } = KINDS[kind];
      const postLogoutRedirectUris = given.postLogoutRedirectUris ?? [];
      const code = kind === 'device' ? {} : { responseTypes: ['OIDC_RESPONSE_TYPE_CODE'] };
      const app = {
        projectId,
        name,
        ...usual,
        ...code,
        redirectUris,
        postLogoutRedirectUris,
        devMode: true,
        ...settings,
      };
      this.put(orgId, 'oidcApps', { ...entry, app }, origin);
    }
    const made: CastApplication = {
      name,
      id,
      kind,
      clientId,
      clientSecret,
      redirectUris,
      projectId,
      anyLoopback,
    };
    this.cast.applications.set(name, made);
  }

  private addUser(name: string, given: FixtureUser): void {
    const origin = ['users', name];
    const { id = name, userName = name, password = PASSWORD, verified = true, state = 'active' } = given;
    const org = this.orgOf(given.organization, origin);
    const email = given.email ?? `${userName}@${org.domain}`;
    const user = {
      userName,
      profile: {
        firstName: given.firstName ?? name.charAt(0).toUpperCase() + name.slice(1),
        lastName: given.lastName ?? 'Example',
        ...(given.locale === undefined ? {} : { preferredLanguage: given.locale }),
        ...given.profile,
      },
      email: { email, isEmailVerified: verified },
      ...(given.phone === undefined ? {} : { phone: { phone: given.phone, isPhoneVerified: true } }),
      password,
      ...(given.passwordChangeRequired === true ? { passwordChangeRequired: true } : {}),
      ...(given.totp === undefined ? {} : { otpCode: given.totp }),
      ...(given.emailCode === true ? { otpEmail: true } : {}),
    };
    this.put(org.id, 'humanUsers', { userId: id, user, state: `USER_STATE_${state.toUpperCase()}` }, origin);
    for (const group of given.groups ?? []) this.join(org.id, group, id, origin);
    this.addRights(org.id, id, given, origin);
    const loginName = `${userName}@${org.domain}`;
    const made: CastUser = { name, id, userName, loginName, email, password, organizationId: org.id, totp: given.totp };
    this.cast.users.set(name, made);
  }

  private addServiceUser(name: string, given: FixtureServiceUser): void {
    const origin = ['serviceUsers', name];
    const { id = name, userName = name, name: title = name, secret = randomBytes(32).toString('base64url') } = given;
    const org = this.orgOf(given.organization, origin);
    const user = { userName, name: title, ...given.settings };
    const secretHash = createHash('sha256').update(secret).digest('base64');
    this.put(org.id, 'machineUsers', { userId: id, user, secretHash, state: 'USER_STATE_ACTIVE' }, origin);
    this.addRights(org.id, id, given, origin);
    const made: CastServiceUser = { name, id, clientId: userName, clientSecret: secret, organizationId: org.id };
    this.cast.serviceUsers.set(name, made);
  }

  private addRights(
    orgId: string,
    userId: string,
    { roles = [], managerRoles, metadata = {} }: Pick<FixtureUser, 'roles' | 'managerRoles' | 'metadata'>,
    origin: Path,
  ): void {
    const place = [...origin, 'roles'];
    const byProject = isList(roles) ? (roles.length === 0 ? [] : [[undefined, roles] as const]) : Object.entries(roles);
    for (const [project, roleKeys] of byProject) {
      const projectId = this.idOf('projects', project, project === undefined ? place : [...place, project]);
      this.put(orgId, 'userGrants', { userId, projectId, roleKeys }, place);
    }
    if (managerRoles) this.put(orgId, 'orgMembers', { userId, roles: managerRoles }, [...origin, 'managerRoles']);
    for (const [key, value] of Object.entries(metadata))
      this.put(orgId, 'userMetadata', { id: userId, key, value: Buffer.from(value).toString('base64') }, [
        ...origin,
        'metadata',
        key,
      ]);
  }

  private join(orgId: string, name: string, userId: string, origin: Path): void {
    const groupId = `${orgId}-${name}`;
    const place = [...origin, 'groups'];
    if (!this.groups.has(groupId) && !this.cast.groups.has(groupId))
      this.put(orgId, 'groups', { groupId, name }, place);
    this.groups.add(groupId);
    this.cast.groups.add(groupId);
    this.put(orgId, 'groupMembers', { groupId, userId }, place);
  }

  private put(orgId: string, member: string, entry: Entry, origin: Path): void {
    const section = this.sections.get(orgId) ?? new Section(this.sections.size, orgId, {});
    this.sections.set(orgId, section);
    const list = section.lists.get(member) ?? [];
    section.lists.set(member, list);
    this.origins.set(`orgs[${section.place}].${member}[${list.length}]`, origin);
    list.push(entry);
  }

  private orgOf(name: string | undefined, origin: Path): { readonly id: string; readonly domain: string } {
    const id = this.idOf('organizations', name, origin, 'organization');
    return this.cast.organizations.get(id) ?? { id, domain: '' };
  }

  /** The id of what a member names; of the first one if it names none. */
  private idOf(kind: 'organizations' | 'projects', name: string | undefined, origin: Path, member?: string): string {
    const all = this.cast[kind];
    const found = name === undefined ? [...all.values()][0] : all.get(name);
    if (found) return found.id;
    const path = member === undefined ? origin : [...origin, member];
    this.mistakes.push({ path, problem: `names none of the ${kind}: ${[...all.keys()].join(', ')}` });
    return '';
  }
}

/** The lists of a document by what an import calls their entries, and the member that is the id. */
const LISTS: Readonly<Record<string, readonly [list: string, key: string]>> = {
  oidc_app: ['oidcApps', 'appId'],
  api_app: ['apiApps', 'appId'],
  human_user: ['humanUsers', 'userId'],
  machine_user: ['machineUsers', 'userId'],
  project: ['projects', 'projectId'],
};

/** The members of a fixture by those of a document. */
const MEMBERS: Readonly<Record<string, string>> = {
  otpCode: 'totp',
  otpEmail: 'emailCode',
  preferredLanguage: 'locale',
  userId: 'id',
  secretHash: 'secret',
};
const OUTER = new Set(['app', 'user', 'project', 'profile', 'email', 'phone', 'org']);
const OWN = new Set([
  ...['clientId', 'redirectUris', 'postLogoutRedirectUris', 'userName', 'email', 'phone', 'password', 'firstName'],
  ...['lastName', 'name', 'passwordChangeRequired', 'state'],
]);

function membersOf(kind: string | number | undefined, words: readonly string[]): Path {
  const inner = words.filter((word, index) => !(OUTER.has(word) && index < words.length - 1));
  const [first, ...rest] = inner;
  if (first === undefined) return [];
  const named = MEMBERS[first];
  if (named !== undefined) return [named];
  if (OWN.has(first)) return inner;
  return kind === 'users' ? ['profile', first, ...rest] : ['settings', first, ...rest];
}

function isList(roles: NonNullable<FixtureUser['roles']>): roles is readonly string[] {
  return Array.isArray(roles);
}
