import type { VNode } from 'preact';
import type { Placeholder, Values } from '../catalogue/catalogue.js';
import { piecesOf } from '../catalogue/catalogue.js';

/**
 * A text with its values put in. Each value is isolated, so that a right-to-left name does not reorder the sentence.
 */
export function Filled({ text, values }: { readonly text: string; readonly values: Values }): VNode {
  return (
    <>{piecesOf(text).map((piece, index) => (index % 2 === 0 ? piece : <bdi>{values[piece as Placeholder]}</bdi>))}</>
  );
}
