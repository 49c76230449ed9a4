import type { VNode } from 'preact';
import type { PageContext } from './context.js';
import { Mark } from './mark.js';

/** The organization: its logo, or our mark and its name. */
export function Brand({ context }: { readonly context: PageContext }): VNode {
  const { logo } = context.look;
  return (
    <header class="brand">
      {logo === undefined ? (
        <>
          <Mark />
          <bdi>{context.brand}</bdi>
        </>
      ) : (
        <picture>
          {logo.dark !== logo.light && <source media="(prefers-color-scheme: dark)" srcset={logo.dark} />}
          <img class="logo" src={logo.light} alt={context.brand} />
        </picture>
      )}
    </header>
  );
}
