import { getMetadataStorage } from 'class-validator';

/**
 * Makes class-validator look only once for the rules of a class. By itself it looks for inherited ones among all
 * classes, for each message and each message in it, which takes several times as long as to apply them. A rule that is
 * added later, such as that of a class of an extension, makes it look again.
 */
export function rememberRules(): void {
  const storage = getMetadataStorage();
  type Find = typeof storage.getTargetValidationMetadatas;
  const find: Find = storage.getTargetValidationMetadatas.bind(storage);
  let found = new WeakMap<Parameters<Find>[0], Map<string, ReturnType<Find>>>();
  storage.getTargetValidationMetadatas = (target, schema, always, strictGroups, groups) => {
    // Extensions share the storage: they may have rules by group, and validate plain objects, whose "constructor" may
    // be what was sent.
    if (always || strictGroups || groups?.length || typeof target !== 'function')
      return find(target, schema, always, strictGroups, groups);
    // For a message within another one, class-validator gives the name of the outer one as the schema.
    const bySchema = found.get(target) ?? new Map<string, ReturnType<Find>>();
    found.set(target, bySchema);
    const known = bySchema.get(schema);
    if (known) return known;
    const rules = find(target, schema, always, strictGroups, groups);
    bySchema.set(schema, rules);
    return rules;
  };
  const add = storage.addValidationMetadata.bind(storage);
  storage.addValidationMetadata = (metadata) => {
    found = new WeakMap();
    add(metadata);
  };
}
