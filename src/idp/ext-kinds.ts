import { Inject, Injectable } from '@nestjs/common';
import { toSnakeCase } from '../foundation/database/snake-case.js';
import { type Drawing, readDrawing } from '../foundation/drawing/drawing.js';
import { DomainError, type FieldViolation } from '../foundation/error/domain-error.js';
import type { Filled } from '../foundation/extension/seam.js';
import type { JsonObject } from '../foundation/outbound/outbound-client.js';
import { DIRECTORY_KIND, type DirectoryKind } from './directory-kind.js';
import { IDP_KIND, type IdpKind, repeatedKinds } from './idp-kind.js';
import { KindSettings } from './kind-settings.js';

/** Settings as they are stored: what anybody may see who may see the provider, and what is sealed. */
export interface StoredSettings {
  readonly open: object;
  readonly secret: Readonly<Record<string, string>>;
}

/** What both sorts of kinds have in common: those to which browsers are sent, and directories. */
export type ExtKind = Pick<IdpKind & DirectoryKind, 'kind' | 'settings' | 'mark'>;

/** The identity provider kinds of extensions, directories among them, and their settings. */
@Injectable()
export class ExtKinds {
  private readonly marks = new Map<string, Drawing>();

  constructor(
    /** Undefined in the preview of an application, which makes no parts. */
    @Inject(IDP_KIND.token) private readonly sites: ReadonlyArray<Filled<IdpKind>> | undefined,
    @Inject(DIRECTORY_KIND.token) private readonly directories: ReadonlyArray<Filled<DirectoryKind>> | undefined,
    private readonly settings: KindSettings,
  ) {}

  /** Undefined if no extension of this process has the kind. */
  find(kind: string): Filled<ExtKind> | undefined {
    return this.all.find(({ part }) => part.kind === kind);
  }

  /** Like `find`, of those to which browsers are sent. */
  findSite(kind: string): Filled<IdpKind> | undefined {
    return this.sites?.find(({ part }) => part.kind === kind);
  }

  /** Like `find`, of directories. */
  findDirectory(kind: string): Filled<DirectoryKind> | undefined {
    return this.directories?.find(({ part }) => part.kind === kind);
  }

  /** The mark of a kind; undefined if it has none. */
  markOf(kind: string): Drawing | undefined {
    const { mark } = this.find(kind)?.part ?? {};
    if (mark === undefined) return undefined;
    const drawing = this.marks.get(kind) ?? readDrawing(mark);
    this.marks.set(kind, drawing);
    return drawing;
  }

  /** The names of the fields that any of them reads of an answer by form. */
  get formFields(): readonly string[] {
    return [...new Set((this.sites ?? []).flatMap(({ part }) => part.formFields ?? []))];
  }

  get all(): ReadonlyArray<Filled<ExtKind>> {
    return [...(this.sites ?? []), ...(this.directories ?? [])];
  }

  get names(): readonly string[] {
    return this.all.map(({ part }) => part.kind);
  }

  /** What is wrong with the settings that kinds declare, each in a sentence with its remedy. */
  mistakes(): string[] {
    const ofSettings = this.all.flatMap(({ extension, name, part }) =>
      typeof part.settings === 'function'
        ? this.settings
            .mistakesOf(part.settings)
            .map((mistake) => `The settings of ${name} of the extension ${extension} ${mistake}`)
        : [],
    );
    // Within each sort, its seam has told them.
    const sorts = [this.sites ?? [], this.directories ?? []].map((some) => new Set(some.map(({ part }) => part.kind)));
    return [...ofSettings, ...repeatedKinds(sorts.flatMap((kinds) => [...kinds]))];
  }

  /**
   * Settings that were sent. A secret that is absent or empty stays as it is stored.
   * @throws DomainError InvalidArgument `request.invalid` with every broken field, each of which begins with
   * `settings.`
   */
  take({ part }: Filled<ExtKind>, json: JsonObject, stored: StoredSettings['secret'] = {}): StoredSettings {
    const { open, secret } = this.divide(part, json);
    const read = this.read(part, { ...open, ...stored, ...secret });
    return this.divide(part, read);
  }

  /**
   * Settings of a document, which may omit secrets.
   * @param refuse takes what is wrong with them
   */
  takeImported(
    { part }: Filled<ExtKind>,
    json: JsonObject,
    refuse: (found: readonly FieldViolation[]) => void,
  ): StoredSettings {
    const { open, secret } = this.divide(part, json);
    try {
      this.read(part, { ...open, ...secret });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const omitted = this.secretsOf(part).filter((name) => secret[name] === undefined);
      refuse(error.violations.filter(({ field }) => !omitted.some((name) => field === `settings.${name}`)));
    }
    return { open, secret };
  }

  /**
   * Stored settings as the kind gets them.
   * @throws DomainError InvalidArgument `request.invalid` if they do not fit what the class declares today
   */
  give({ part }: Filled<ExtKind>, { open, secret }: StoredSettings): object {
    return Object.freeze(this.read(part, { ...open, ...secret }));
  }

  /** The declared members, in lowerCamelCase: those of secrets that are not empty apart. */
  private divide(part: ExtKind, json: object): StoredSettings {
    const values = json as JsonObject;
    const open: Record<string, unknown> = {};
    const secret: Record<string, string> = {};
    for (const { name, isSecret } of this.settings.fieldsOf(part.settings)) {
      const value = values[name] ?? values[toSnakeCase(name)] ?? undefined;
      if (value === undefined || (isSecret && value === '')) continue;
      // A secret that is no text is refused when it is read.
      if (isSecret) secret[name] = value as string;
      else open[name] = value;
    }
    return { open, secret };
  }

  private secretsOf(part: ExtKind): string[] {
    return this.settings.fieldsOf(part.settings).flatMap(({ name, isSecret }) => (isSecret ? [name] : []));
  }

  private read(part: ExtKind, json: JsonObject): object {
    try {
      return this.settings.read(part.settings, json);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const violations = error.violations.map(({ field, description }) => ({
        field: `settings.${field}`,
        description,
      }));
      throw new DomainError(error.kind, error.reason, `settings.${error.message}`, { violations });
    }
  }
}
