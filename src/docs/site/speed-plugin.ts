import type { ApiDocument } from './document.js';
import type { Plugin, PluginMaker } from './system.js';

/** Swagger UI would write the document as text and read that as YAML, which takes a second. */
export function speedPlugin(document: ApiDocument): PluginMaker {
  return ({ getSystem }): Plugin => ({
    statePlugins: {
      spec: {
        wrapActions: {
          parseToJson: () => () => getSystem().specActions['updateJsonSpec']!(document),
        },
      },
    },
  });
}
