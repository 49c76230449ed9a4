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

/**
 * Most responses are refusals that hundreds of operations have alike: each is kept once, and operations refer to it. Swagger UI copies the whole
 * document at its start, and resolves references of an operation when that is opened.
 */
export function shareResponses(document: ApiDocument): void {
  const shared = (document.components.responses ??= {});
  const names = new Map<string, string>();
  for (const operations of Object.values(document.paths)) {
    for (const { responses } of Object.values(operations)) {
      for (const [status, response] of Object.entries(responses)) {
        const text = JSON.stringify(response);
        if (!names.has(text)) {
          names.set(text, `shared${names.size}`);
          shared[names.get(text)!] = response;
        }
        responses[status] = { $ref: `#/components/responses/${names.get(text)!}` };
      }
    }
  }
}
