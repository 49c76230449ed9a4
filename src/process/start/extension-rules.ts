import { routeMistakes } from '../../admin/kit/own-routes.js';
import type { Extension } from '../../foundation/extension/extension.js';
import { commandMistakes } from '../../foundation/extension/own-command.js';
import { assetMistakes } from '../../page/own-assets.js';
import { textMistakes } from '../../page/part/own-texts.js';
import { roleMistakes } from '../../user/permission/role-book.js';

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
