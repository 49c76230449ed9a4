import { routeMistakes } from './admin/own-routes.js';
import type { Extension } from './foundation/extension/extension.js';
import { commandMistakes } from './foundation/extension/own-command.js';
import { assetMistakes } from './foundation/page/own-assets.js';
import { textMistakes } from './foundation/page/own-texts.js';
import { roleMistakes } from './permission/role-book.js';

/** What is wrong with extensions by the rules of the nouns and edges, which the foundation does not know. */
export async function ruleMistakes(extensions: readonly Extension[]): Promise<string[]> {
  return [
    ...commandMistakes(extensions),
    ...roleMistakes(extensions),
    ...textMistakes(extensions),
    ...assetMistakes(extensions),
    ...(await routeMistakes(extensions)),
  ];
}
