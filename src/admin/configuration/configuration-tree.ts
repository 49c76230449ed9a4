import type { Json } from '../kit/inner-calls.js';
import type { FieldChange } from './values.js';

type Node = { [name: string]: unknown };

/** Names are those that people gave: none of them, such as `__proto__`, may mean what all objects share (ADM-115). */
const newNode = (): Node => Object.create(null) as Node;

/** A configuration that is put together place by place; `null` stands for what is to be taken away. */
export class ConfigurationTree {
  private readonly root = newNode();

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
      node = (node[name] ??= newNode()) as Node;
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
