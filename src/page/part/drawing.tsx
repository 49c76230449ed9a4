import { h, type VNode } from 'preact';
import type { Drawing } from '../../foundation/drawing/drawing.js';

/** A drawing in a page, for the eyes alone: what it shows stands beside it as text. */
export function Drawn({ drawing: { attributes, children } }: { readonly drawing: Drawing }): VNode {
  return (
    <svg {...attributes} focusable="false">
      {children.map(shape)}
    </svg>
  );
}

function shape({ name, attributes, children }: Drawing): VNode {
  return h(name, attributes, children.map(shape));
}
