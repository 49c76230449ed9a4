import type { ApiDocument } from './document.js';
import { listedDocument, partOf } from './lean-document.js';
import type { Plugin, PluginMaker } from './system.js';

/** Lets Swagger UI handle the list of operations only, and of an operation that is opened only what belongs to it. */
export function speedPlugin(document: ApiDocument): PluginMaker {
  const listed = listedDocument(document);
  return ({ getSystem, fn }): Plugin => {
    const resolve = fn.resolveSubtree;
    return {
      fn: {
        resolveSubtree: (_: unknown, path: readonly string[], options: unknown) =>
          resolve(partOf(document, path), path, options),
      },
      statePlugins: {
        spec: {
          wrapActions: {
            // Swagger UI would write the document as text and read that as YAML, which takes a second.
            parseToJson: () => () => getSystem().specActions.updateJsonSpec(listed),
          },
        },
      },
    };
  };
}
