import { Injectable } from '@nestjs/common';

/**
 * Work that would collide in the database, one after the other. Events of a group are numbered, so that removals of
 * its members at the same time undo each other; who waits here holds no connection.
 */
@Injectable()
export class Turns {
  private readonly last = new Map<string, Promise<unknown>>();

  /** Runs the work after all that was begun before under the same key, whether that has failed or not. */
  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(key) ?? Promise.resolve();
    const turn = before.then(work, work);
    this.last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.last.get(key) === turn) this.last.delete(key);
    }
  }
}
