import { versionDiffers } from '../error/scim-error.js';

/**
 * RFC 7644 §3.14: a weak tag. Its parts are the sequence of the object in Gatehouse, and how often what only the
 * directory says of it has changed.
 */
export function versionOf(sequence: bigint, revision = 0): string {
  return `W/"${sequence}.${revision}"`;
}

/** RFC 9110 §13.1.1 and §13.1.2: the conditions of a request. */
export class Conditions {
  static readonly NONE = new Conditions(undefined, undefined);

  private constructor(
    private readonly ifMatch: string | undefined,
    private readonly ifNoneMatch: string | undefined,
  ) {}

  static of(headers: Readonly<Record<string, string | readonly string[] | undefined>>): Conditions {
    const header = (name: string): string | undefined => {
      const value = headers[name];
      return typeof value === 'string' ? value : undefined;
    };
    return new Conditions(header('if-match'), header('if-none-match'));
  }

  /** That of an operation in a bulk request (RFC 7644 §3.7). */
  static ifMatch(version: string | undefined): Conditions {
    return new Conditions(version, undefined);
  }

  /** @throws ScimError 412 */
  check(version: string): void {
    if (this.ifMatch !== undefined && !names(this.ifMatch, version)) throw versionDiffers();
  }

  /** Whether the client has this version already (`If-None-Match`, RFC 9110, section 13.1.2). */
  isKnown(version: string): boolean {
    return this.ifNoneMatch !== undefined && names(this.ifNoneMatch, version);
  }
}

/** Whether the list of tags has the version, by weak comparison (RFC 9110 §8.8.3.2). */
function names(header: string, version: string): boolean {
  if (header.trim() === '*') return true;
  const opaque = (tag: string): string => tag.replace(/^W\//, '');
  return (header.match(/(?:W\/)?"[^"]*"/g) ?? []).some((tag) => opaque(tag) === opaque(version));
}
