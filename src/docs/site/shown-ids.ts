import type { ExampleIds } from './examples.js';
import type { FoundObjects } from './found-objects.js';
import { kindOfParameter } from './kinds.js';

/** `"userId": "…"`, and the first of `"orgIds": ["…"`. */
const ID_IN_BODY = /("(\w+)":\s*\[?\s*")(\d{18})(?=")/g;

/** The ids that forms show in place of those of examples: what was made or chosen here comes first. */
export class ShownIds {
  /** By path: what a link says is what is meant, though it was made here. */
  private readonly kept = new Map<string, readonly unknown[]>();

  constructor(
    private readonly ids: ExampleIds,
    private readonly found: FoundObjects,
  ) {}

  /** From now on these values stand for themselves in the forms of a path. */
  keep(path: string, values: readonly unknown[]): void {
    this.kept.set(path, [...(this.kept.get(path) ?? []), ...values]);
  }

  parameter(value: string, name: string, path: string): string {
    if (this.kept.get(path)?.includes(value)) return this.ids.fill(value);
    const chosen = this.found.chosenOf(kindOfParameter(name, path));
    return chosen !== undefined && this.ids.isExample(value) ? chosen : this.ids.fill(value);
  }

  body(text: string, path: string): string {
    const filled = text.replaceAll(
      ID_IN_BODY,
      (_, before: string, name: string, id: string) => before + this.parameter(id, name, path),
    );
    return this.ids.fill(filled);
  }
}
