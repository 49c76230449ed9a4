import { routeMistakes } from './admin/own-routes.js';
import type { Extension } from './foundation/extension/extension.js';
import { roleMistakes } from './permission/role-book.js';

/** What is wrong with extensions by the rules of the nouns and edges, which the foundation does not know. */
export async function ruleMistakes(extensions: readonly Extension[]): Promise<string[]> {
  return [...roleMistakes(extensions), ...(await routeMistakes(extensions))];
}
