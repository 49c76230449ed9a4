/** RFC 7644 §3.4.2.2, table 3, without `pr`. */
export const COMPARISONS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** The values of JSON that a filter can compare with (RFC 7644 §3.4.2.2, `compValue`). */
export type Comparand = string | number | boolean | null;

/** A name as it was written: with the URN of its schema if that was, and the sub-attribute after the dot. */
export interface AttributePath {
  readonly name: string;
  readonly sub: string | undefined;
}

/** A filter, before anybody knows which attributes there are. */
export type Filter =
  | { readonly is: 'present'; readonly path: AttributePath }
  | {
      readonly is: 'compare';
      readonly path: AttributePath;
      readonly operator: Comparison;
      readonly value: Comparand;
    }
  | { readonly is: 'and' | 'or'; readonly filters: readonly Filter[] }
  | { readonly is: 'not'; readonly filter: Filter }
  /** One value of a multi-valued attribute fulfils all of it: `emails[type eq "work" and value co "@example.com"]`. */
  | { readonly is: 'element'; readonly path: AttributePath; readonly filter: Filter };
