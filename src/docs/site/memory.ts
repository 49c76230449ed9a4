/** What the page remembers, as JSON. A browser may refuse to store anything; then the page forgets. */
export class Memory<T> {
  constructor(
    private readonly storage: () => Storage,
    private readonly name: string,
    private readonly empty: T,
  ) {}

  read(): T {
    try {
      const text = this.storage().getItem(this.name);
      return text === null ? this.empty : (JSON.parse(text) as T);
    } catch {
      return this.empty;
    }
  }

  write(value: T): void {
    try {
      this.storage().setItem(this.name, JSON.stringify(value));
    } catch {
      // A reload begins anew if nothing can be read.
    }
  }

  forget(): void {
    try {
      this.storage().removeItem(this.name);
    } catch {
      // The page forgets if nothing may be stored.
    }
  }
}

/** A memory until the window is closed. */
export const ofWindow = (): Storage => sessionStorage;
/** A memory until the user signs out here. */
export const ofBrowser = (): Storage => localStorage;
