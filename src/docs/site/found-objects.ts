/** Something that a response was about. */
export interface FoundObject {
  readonly id: string;
  /** Empty if it is not known. */
  readonly name: string;
}

export type FoundByKind = Readonly<Record<string, readonly FoundObject[]>>;

/** What the fields of requests and responses refer to. */
const KIND_OF_FIELD: Readonly<Record<string, string>> = {
  userId: 'user',
  orgId: 'organization',
  grantedOrgId: 'organization',
  projectId: 'project',
  appId: 'application',
  idpId: 'identity provider',
  keyId: 'key',
  tokenId: 'token',
  sessionId: 'session',
  userGrantId: 'user grant',
  projectGrantId: 'project grant',
};
/** The same for the last part of a path before an id, and for the part of a response with that name. */
const KIND_OF_PART: Readonly<Record<string, string>> = {
  users: 'user',
  user: 'user',
  orgs: 'organization',
  org: 'organization',
  projects: 'project',
  project: 'project',
  apps: 'application',
  app: 'application',
  idps: 'identity provider',
  idp: 'identity provider',
  generic_oidc: 'identity provider',
  generic_jwt: 'identity provider',
  jobs: 'job',
  mails: 'e-mail',
  keys: 'key',
  pats: 'token',
  sessions: 'session',
  projectgrants: 'project grant',
};
const NAMES = ['displayName', 'name', 'userName', 'projectName', 'orgName', 'subject', 'recipient', 'description'];
const MAX_PER_KIND = 40;

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** What was made or found here, so that its id need not be copied. The newest comes first. */
export class FoundObjects {
  private readonly byKind: Map<string, readonly FoundObject[]>;

  constructor(earlier: FoundByKind = {}) {
    this.byKind = new Map(Object.entries(earlier));
  }

  get all(): FoundByKind {
    return Object.fromEntries(this.byKind);
  }

  of(kind: string | undefined): readonly FoundObject[] {
    return kind === undefined ? [] : (this.byKind.get(kind) ?? []);
  }

  nameOf(id: string): string | undefined {
    for (const objects of this.byKind.values()) {
      const name = objects.find((one) => one.id === id)?.name;
      if (name) return name;
    }
    return undefined;
  }

  forget(): void {
    this.byKind.clear();
  }

  /** @param sent the body of the request: the answer to a creation has an id, and the request the name */
  learn(method: string, path: string, sent: unknown, answer: unknown): void {
    const last = kindOfPath(path);
    this.look(answer as Json, last, nameIn(sent as Json));
    if (method === 'delete') this.remove(path.split('/').at(-1)!);
  }

  private look(value: Json | undefined, kind: string | undefined, sentName = ''): void {
    if (Array.isArray(value)) {
      // The last one noted comes first, so the first of a list is noted last.
      for (const one of (value as readonly Json[]).toReversed()) this.look(one, kind);
      return;
    }
    if (value === null || typeof value !== 'object') return;
    for (const [name, inner] of Object.entries(value as Record<string, Json>)) {
      if (name === 'details') continue;
      if (typeof inner === 'string') {
        const named = name === 'id' ? kind : KIND_OF_FIELD[name];
        if (named !== undefined && inner !== '') this.note(named, inner, nameFor(named, name, value) || sentName);
      } else {
        this.look(inner, name === 'result' ? kind : KIND_OF_PART[name]);
      }
    }
  }

  private note(kind: string, id: string, name: string): void {
    const others = this.of(kind).filter((one) => one.id !== id);
    const known = this.of(kind).find((one) => one.id === id)?.name ?? '';
    this.byKind.set(kind, [{ id, name: name || known }, ...others].slice(0, MAX_PER_KIND));
  }

  private remove(id: string): void {
    for (const [kind, objects] of this.byKind) {
      this.byKind.set(
        kind,
        objects.filter((one) => one.id !== id),
      );
    }
  }
}

/** What a parameter of a path, or a field of a body, refers to. */
export function kindOfParameter(name: string, path: string): string | undefined {
  if (name === 'grantId')
    return path.includes('/projects/') || path.includes('/granted_projects/') ? 'project grant' : 'user grant';
  if (name !== 'id') return KIND_OF_FIELD[name];
  const before = path.slice(0, path.indexOf('/{id}')).split('/').at(-1);
  return KIND_OF_PART[before ?? ''];
}

/** The kind of object that an operation on this path is about: `/users/_search` is about users, `/users/human` too. */
function kindOfPath(path: string): string | undefined {
  return path
    .split('/')
    .reverse()
    .map((part) => KIND_OF_PART[part])
    .find((kind) => kind !== undefined);
}

/** A field that refers to something else is named by a field beside it only if that one names it too. */
function nameFor(kind: string, field: string, holder: Json): string {
  if (field === 'id') return nameIn(holder);
  const { displayName, projectName, orgName } = holder as Record<string, Json>;
  const name = { user: displayName, project: projectName, organization: orgName }[kind];
  return typeof name === 'string' ? name : '';
}

function nameIn(value: Json | undefined): string {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return '';
  const object = value as Record<string, Json>;
  for (const inner of [object['human'], object['profile']]) {
    const name = nameIn(inner);
    if (name !== '') return name;
  }
  const { firstName, lastName } = object;
  const full = [firstName, lastName].filter((part) => typeof part === 'string').join(' ');
  return (
    NAMES.map((name) => object[name]).find((name): name is string => typeof name === 'string' && name !== '') ?? full
  );
}
