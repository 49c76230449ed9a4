import type { Type } from '@nestjs/common';

const declared: Array<Seam<unknown>> = [];

/** What the product injects under the token of a seam: every part, with the extension that it belongs to. */
export interface Filled<Part> {
  readonly extension: string;
  /** The name of the class. */
  readonly name: string;
  readonly part: Part;
}

/** What the parts of a seam must satisfy besides their interface. */
export interface SeamRule<Part> {
  /** What is wrong with them, each in a sentence with its remedy. */
  mistakes(filled: ReadonlyArray<Filled<Part>>): string[];
  /** What a part is called, if it has a name besides that of its class. */
  nameOf?(part: Part): string;
  /**
   * A process without them would lock users out or let them past: extensions that fill the seam are required by
   * default.
   */
  readonly isRequired?: boolean;
}

/**
 * A place in the product that extensions fill with classes of their own. The class is a provider of the extension's
 * module, so it takes part in injection like any other.
 * @public
 */
export class Seam<Part> {
  /** Under which the product injects what extensions provide; see `Filled`. */
  readonly token: symbol;
  /**
   * Exists for the compiler only: a class that does not implement the interface of the seam is a type error. Public, as
   * every member: each entry of the package declares this class anew, and `provide` of one must take a seam of another.
   */
  declare readonly part?: Part;
  /** @internal */
  readonly rule: SeamRule<Part>;

  /** @internal */
  constructor(
    readonly name: string,
    /** `one`: two extensions cannot both fill it. `many`: all of them are asked, in the order of the extensions. */
    readonly seats: 'one' | 'many',
    rule: SeamRule<Part> = { mistakes: () => [] },
  ) {
    this.rule = rule;
    this.token = Symbol(name);
    declared.push(this);
  }

  /** @internal */
  get isRequired(): boolean {
    return this.rule.isRequired === true;
  }

  /**
   * What a part is called; without a name of its own, by its class.
   * @internal
   */
  nameOf({ name, part }: Filled<Part>): string {
    return this.rule.nameOf?.(part) ?? name;
  }

  /**
   * What is wrong with the parts, each in a sentence with its remedy.
   * @internal
   */
  mistakes(filled: ReadonlyArray<Filled<Part>>): string[] {
    return this.rule.mistakes(filled);
  }
}

/** Every seam of the code that is loaded. */
export function declaredSeams(): ReadonlyArray<Seam<unknown>> {
  return declared;
}

/** One class for one seam; see `provide`. @public */
export interface Provided {
  readonly seam: Seam<unknown>;
  readonly by: Type<unknown>;
}

/** Fills a seam with a class, which must be a provider of the extension's module. @public */
export function provide<Part>(seam: Seam<Part>, by: Type<NoInfer<Part>>): Provided {
  return { seam, by };
}
