/**
 * Replaces the ids in examples. When an object is added here with an example, its real id is in the response; from then on,
 * requests with the example's id refer to that object, so that the examples work one after the other.
 */
export class ExampleIds {
  /**
   * @param made `x-example-ids` of the document
   * @param known the pairs that were learned before
   */
  constructor(made, known = []) {
    this.made = made.map((one) => ({ ...one, pattern: new RegExp(`^${one.path.replace(/\{\w+\}/g, '[^/]+')}$`) }));
    this.known = new Map(known);
  }

  /** Learns ids from the response to a request. @returns whether there were any */
  learn(method, path, answer) {
    const found = this.made.filter((one) => one.method === method.toLowerCase() && one.pattern.test(path));
    for (const { field, example } of found) {
      const id = field.reduce((value, name) => value?.[name], answer);
      if (typeof id === 'string' && id !== '') this.known.set(example, id);
    }
    return found.length > 0;
  }

  /** The text with the real ids. */
  fill(text) {
    return [...this.known].reduce((filled, [example, id]) => filled.replaceAll(example, id), text);
  }
}
