export declare class ExampleIds {
  readonly known: ReadonlyMap<string, string>;
  constructor(
    made: ReadonlyArray<{ method: string; path: string; field: readonly string[]; example: string }>,
    known?: Iterable<readonly [string, string]>,
  );
  learn(method: string, path: string, answer: unknown): boolean;
  fill(text: string): string;
}
