import type { FieldViolation } from '../../foundation/error/domain-error.js';

/** Further faults would only repeat the same problems. */
export const MAX_FAULTS = 1_000;

/** Something that is imported differently from what the document says, with its JSON path. */
export interface Note {
  readonly path: string;
  readonly message: string;
}

/** Collects what is wrong with a document, each fault with its JSON path. */
export class Faults {
  readonly listed: FieldViolation[] = [];
  total = 0;
  private notes: Note[] = [];

  add(field: string, description: string): void {
    this.total += 1;
    if (this.listed.length < MAX_FAULTS) this.listed.push({ field, description });
  }

  /** Adds what is not a fault: the entry is imported, and the answer says what is different about it. */
  note(path: string, message: string): void {
    this.notes.push({ path, message });
  }

  /** The notes added since the last call. */
  takeNotes(): readonly Note[] {
    const taken = this.notes;
    this.notes = [];
    return taken;
  }

  /** Adds the problem, if there is one. */
  addProblem(field: string, problem: string | undefined): void {
    if (problem !== undefined) this.add(field, problem);
  }

  addAll(at: string, violations: readonly FieldViolation[]): void {
    for (const { field, description } of violations) this.add(`${at}.${field}`, description);
  }
}
