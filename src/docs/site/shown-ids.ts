import type { ExampleIds } from './examples.js';
import type { FoundObjects } from './found-objects.js';
import { kindOfParameter } from './kinds.js';

/** `"userId": "…"`, and the first of `"orgIds": ["…"`. */
const ID_IN_BODY = /("(\w+)":\s*\[?\s*")(\d{18})(?=")/g;

/** The ids that forms show in place of those of examples: what was made or chosen here comes first. */
export class ShownIds {
  constructor(
    private readonly ids: ExampleIds,
    private readonly found: FoundObjects,
  ) {}

  parameter(value: string, name: string, path: string): string {
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
