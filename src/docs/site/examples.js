/**
 * The ids in examples stand for objects. What was added here by an example tells its id in the answer, and from then on a
 * request that is about the example's id is about that object, so that the examples work one after the other.
 */
export class ExampleIds {
  /**
   * @param made `x-example-ids` of the document
   * @param known pairs of what was learned before
   */
  constructor(made, known = []) {
    this.made = made.map((one) => ({ ...one, pattern: new RegExp(`^${one.path.replace(/\{\w+\}/g, '[^/]+')}$`) }));
    this.known = new Map(known);
  }

  /** Whether anything was learned from what a request was answered with. */
  learn(method, path, answer) {
    const told = this.made.filter((one) => one.method === method.toLowerCase() && one.pattern.test(path));
    for (const { field, example } of told) {
      const id = field.reduce((value, name) => value?.[name], answer);
      if (typeof id === 'string' && id !== '') this.known.set(example, id);
    }
    return told.length > 0;
  }

  /** A text with the ids that are known. */
  fill(text) {
    return [...this.known].reduce((filled, [example, id]) => filled.replaceAll(example, id), text);
  }
}
