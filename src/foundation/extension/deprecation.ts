import type { Extension } from './extension.js';

/** A member of the public interface that goes away. It has the tag `@deprecated`, too, for compilers and editors. */
export interface Deprecation {
  /** The member as the declarations name it: `ClaimsContributor.timeoutMs`. */
  readonly member: string;
  /**
   * The version that deprecated it, and the one without it: a major version, a minor version and six months later at
   * the earliest.
   */
  readonly since: string;
  readonly goesIn: string;
  /** The remedy for extensions, in a sentence. */
  readonly remedy: string;
  readonly isUsedBy: (extension: Extension) => boolean;
}

/** Every deprecation has the tag `@deprecated` where the member is declared; test/architecture compares both. */
export const DEPRECATIONS: readonly Deprecation[] = [];

/** The deprecated members that extensions use, each in a sentence with its remedy. */
export function deprecatedIn(
  extensions: readonly Extension[],
  deprecations: readonly Deprecation[] = DEPRECATIONS,
): string[] {
  return extensions.flatMap((extension) =>
    deprecations
      .filter(({ isUsedBy }) => isUsedBy(extension))
      .map(
        ({ member, since, goesIn, remedy }) =>
          `The extension ${extension.id} ${extension.version} uses ${member}, which is deprecated since ${since} and goes away in ${goesIn}. ${remedy}`,
      ),
  );
}
