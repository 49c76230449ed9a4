import type { ComponentChildren, VNode } from 'preact';

interface ButtonProps {
  readonly name?: string;
  readonly value?: string;
  /** Whether it sends the form even if its fields are not filled in. */
  readonly skipsFields?: boolean;
  readonly children: ComponentChildren;
}

/**
 * The one button that takes the step. Its id is known to people's scripts and to conformance runs: it does not change.
 */
export function SubmitButton({ name, value, children }: ButtonProps): VNode {
  return (
    <button type="submit" id="submit" class="button" name={name} value={value}>
      {children}
    </button>
  );
}

/** A second way out of the same form. It stands after the first one: Enter takes the first button of a form. */
export function QuietButton({ name, value, skipsFields, children }: ButtonProps): VNode {
  return (
    <button type="submit" class="button button-quiet" name={name} value={value} formnovalidate={skipsFields}>
      {children}
    </button>
  );
}
