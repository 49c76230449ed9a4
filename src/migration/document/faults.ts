import type { FieldViolation } from '../../error/domain-error.js';

/** So many are named one by one; more would only tell the same again. */
export const MAX_FAULTS = 1_000;

/** What is wrong with a document, fault by fault, each with its JSON path. */
export class Faults {
  readonly listed: FieldViolation[] = [];
  total = 0;

  add(field: string, description: string): void {
    this.total += 1;
    if (this.listed.length < MAX_FAULTS) this.listed.push({ field, description });
  }

  addAll(at: string, violations: readonly FieldViolation[]): void {
    for (const { field, description } of violations) this.add(`${at}.${field}`, description);
  }
}
