import { routeMistakes } from '../../admin/kit/ext-routes.js';
import type { Extension } from '../../foundation/extension/extension.js';
import { assetMistakes } from '../../page/ext-assets.js';
import { textMistakes } from '../../page/part/ext-texts.js';
import { roleMistakes } from '../../user/permission/role-book.js';

/** The mistakes of extensions by the rules of the nouns and edges, which the foundation does not know. */
export async function ruleMistakes(extensions: readonly Extension[]): Promise<string[]> {
  return [
    ...roleMistakes(extensions),
    ...textMistakes(extensions),
    ...assetMistakes(extensions),
    ...(await routeMistakes(extensions)),
  ];
}
