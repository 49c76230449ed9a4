/** The keys without repetitions, in the order of their first occurrence. */
export function withoutRepetitions(roleKeys: readonly string[]): string[] {
  return [...new Set(roleKeys)];
}

/** Whether two lists without repetitions contain the same keys. */
export function areSameKeys(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((key) => other.includes(key));
}
