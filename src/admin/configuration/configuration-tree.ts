import type { Json } from '../kit/inner-calls.js';
import type { FieldChange } from './values.js';

type Node = { [name: string]: unknown };

/** A configuration that is put together place by place; `null` stands for what is to be taken away. */
export class ConfigurationTree {
  private readonly root: Node = {};

  get value(): Json {
    return this.root;
  }

  get isEmpty(): boolean {
    return Object.keys(this.root).length === 0;
  }

  /** What stands below something that is taken away goes with it, and is not said again. */
  set(path: readonly string[], value: unknown): void {
    let node = this.root;
    for (const name of path.slice(0, -1)) {
      if (node[name] === null) return;
      node = (node[name] ??= {}) as Node;
    }
    node[path.at(-1)!] = value;
  }

  /**
   * The fields as they were before a change.
   * @param shorthand the one field of objects that are written as its value
   */
  setFields(path: readonly string[], fields: readonly FieldChange[], shorthand?: string): void {
    for (const { name, from } of fields)
      this.set(name === shorthand ? path : [...path, ...name.split('.')], from ?? null);
  }
}
