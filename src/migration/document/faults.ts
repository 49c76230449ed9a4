import type { FieldViolation } from '../../error/domain-error.js';

/** So many are named one by one; more would only tell the same again. */
export const MAX_FAULTS = 1_000;

/** Something that is imported otherwise than the document says, with its JSON path. */
export interface Note {
  readonly path: string;
  readonly message: string;
}

/** What is wrong with a document, fault by fault, each with its JSON path. */
export class Faults {
  readonly listed: FieldViolation[] = [];
  total = 0;
  private notes: Note[] = [];

  add(field: string, description: string): void {
    this.total += 1;
    if (this.listed.length < MAX_FAULTS) this.listed.push({ field, description });
  }

  /** No fault: the entry at hand is imported, and the answer says what of it is different. */
  note(path: string, message: string): void {
    this.notes.push({ path, message });
  }

  /** Those that were made since this was asked last. */
  takeNotes(): readonly Note[] {
    const taken = this.notes;
    this.notes = [];
    return taken;
  }

  /** Where there is one. */
  addProblem(field: string, problem: string | undefined): void {
    if (problem !== undefined) this.add(field, problem);
  }

  addAll(at: string, violations: readonly FieldViolation[]): void {
    for (const { field, description } of violations) this.add(`${at}.${field}`, description);
  }
}
