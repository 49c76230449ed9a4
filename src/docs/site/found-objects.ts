import { kindInAnswer, kindOfParameter, kindOfPath, kindOfSentPart } from './kinds.js';

/** An object that a response was about. */
export interface FoundObject {
  readonly id: string;
  /** The name; empty if it is not known. */
  readonly name: string;
}

export type FoundByKind = Readonly<Record<string, readonly FoundObject[]>>;

const NAMES = ['displayName', 'name', 'userName', 'projectName', 'orgName', 'subject', 'recipient', 'description'];
const MAX_PER_KIND = 40;

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** The objects that were made or found here, so that ids need not be copied. The newest comes first. */
export class FoundObjects {
  private readonly byKind: Map<string, readonly FoundObject[]>;
  /** The ids to which examples refer: of the objects made last, or chosen by "use this id". */
  private readonly chosen: Map<string, string>;

  constructor(earlier: FoundByKind = {}, chosen: Readonly<Record<string, string>> = {}) {
    this.byKind = new Map(Object.entries(earlier));
    this.chosen = new Map(Object.entries(chosen));
  }

  get choices(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.chosen);
  }

  chosenOf(kind: string | undefined): string | undefined {
    return kind === undefined ? undefined : this.chosen.get(kind);
  }

  isKnown(id: string): boolean {
    return [...this.byKind.values()].some((objects) => objects.some((one) => one.id === id));
  }

  /** Forms whose examples are about such an object name this one from now on. @returns whether its kind is known */
  use(id: string): boolean {
    for (const [kind, objects] of this.byKind)
      if (objects.some((one) => one.id === id)) {
        this.chosen.set(kind, id);
        return true;
      }
    return false;
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
    this.chosen.clear();
  }

  /** @param sent the body of the request: the answer to a creation has an id, and the request the name */
  learn(method: string, path: string, sent: unknown, answer: unknown): void {
    if (method === 'delete') {
      this.remove(path.split('/').at(-1)!);
      return;
    }
    const isMade = method === 'post' && !path.endsWith('/_search');
    this.look(answer as Json, kindOfPath(path), path, isMade ? namesIn(sent as Json, kindOfPath(path)) : undefined);
  }

  private look(value: Json | undefined, kind: string | undefined, path: string, made?: Names): void {
    if (Array.isArray(value)) {
      // The last one noted comes first, so the first of a list is noted last.
      for (const one of (value as readonly Json[]).toReversed()) this.look(one, kind, path);
      return;
    }
    if (value === null || typeof value !== 'object') return;
    // The user of such a link is the provider's, and none that is known here.
    const isLink = 'idpId' in value && 'userName' in value;
    for (const [name, inner] of Object.entries(value as Record<string, Json>)) {
      if (name === 'details' || (isLink && name === 'userId')) continue;
      if (typeof inner === 'string') {
        const named = name === 'id' ? kind : kindOfParameter(name, path);
        if (named === undefined || inner === '') continue;
        this.note(named, inner, nameFor(named, name, value) || (made?.get(named) ?? ''));
        if (made) this.chosen.set(named, inner);
      } else {
        this.look(inner, kindInAnswer(name, path), path);
      }
    }
  }

  private note(kind: string, id: string, name: string): void {
    const others = this.of(kind).filter((one) => one.id !== id);
    const known = this.of(kind).find((one) => one.id === id)?.name ?? '';
    this.byKind.set(kind, [{ id, name: name || known }, ...others].slice(0, MAX_PER_KIND));
  }

  private remove(id: string): void {
    for (const [kind, chosen] of this.chosen) if (chosen === id) this.chosen.delete(kind);
    for (const [kind, objects] of this.byKind) {
      this.byKind.set(
        kind,
        objects.filter((one) => one.id !== id),
      );
    }
  }
}

/** A field that refers to something else is named by a field beside it only if that one names it too. */
function nameFor(kind: string, field: string, holder: Json): string {
  if (field === 'id') return nameIn(holder);
  const { displayName, projectName, orgName } = holder as Record<string, Json>;
  const name = { user: displayName, project: projectName, organization: orgName }[kind];
  return typeof name === 'string' ? name : '';
}

type Names = ReadonlyMap<string, string>;

/** The names of what is made, by kind: one request may make an organization and the user who manages it. */
function namesIn(sent: Json | undefined, kind: string | undefined): Names {
  const names = new Map<string, string>();
  if (sent === null || typeof sent !== 'object' || Array.isArray(sent)) return names;
  for (const [part, inner] of Object.entries(sent as Record<string, Json>)) {
    const ofPart = kindOfSentPart(part);
    if (ofPart !== undefined) names.set(ofPart, nameIn(inner));
  }
  if (kind !== undefined && !names.has(kind)) names.set(kind, nameIn(sent));
  return names;
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
