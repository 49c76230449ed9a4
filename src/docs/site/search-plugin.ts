import type { ApiDocument } from './document.js';
import { OperationSearch } from './search.js';
import type { Component, Immutable, Plugin, PluginMaker, Props, System, View } from './system.js';

const TYPING_MS = 150;
const GROUP = 'operations-tag';

/**
 * Replaces Swagger UI's filter, which compares the names of groups only, by a search over everything that is said about
 * operations.
 */
export function searchPlugin(document: ApiDocument): PluginMaker {
  const search = new OperationSearch(document);
  let last: { readonly phrase: string; readonly found: ReadonlyMap<string, number> } = { phrase: '', found: new Map() };
  const find = (phrase: string): ReadonlyMap<string, number> => {
    if (last.phrase !== phrase) last = { phrase, found: search.find(phrase) };
    return last.found;
  };
  /** Groups that were folded while their operations were found. */
  const folded = new Set<string>();

  return ({ React, getSystem }): Plugin => {
    const h = React.createElement;
    const phraseNow = (): string => {
      const filter = getSystem().layoutSelectors['currentFilter']!();
      return typeof filter === 'string' ? filter.trim() : '';
    };

    const SearchField: Component = ({ layoutActions }) => {
      const [text, setText] = React.useState('');
      const field = React.useRef<HTMLInputElement | undefined>(undefined);
      const { updateFilter } = layoutActions as System['layoutActions'];
      React.useEffect(() => {
        const timer = setTimeout(() => {
          if (phraseNow() === text.trim()) return;
          folded.clear();
          updateFilter!(text);
        }, TYPING_MS);
        return () => clearTimeout(timer);
      }, [text]);
      React.useEffect(() => {
        const onKey = (event: KeyboardEvent): void => {
          if (!isShortcut(event)) return;
          event.preventDefault();
          field.current?.focus();
          field.current?.select();
        };
        const onLeave = (): void => setText('');
        window.addEventListener('keydown', onKey);
        window.addEventListener('docs:leave-search', onLeave);
        return () => {
          window.removeEventListener('keydown', onKey);
          window.removeEventListener('docs:leave-search', onLeave);
        };
      }, []);
      const phrase = phraseNow();
      return h(
        'search',
        { className: 'docs-search wrapper' },
        h('label', { htmlFor: 'docs-search', className: 'docs-hidden' }, 'Search the operations'),
        h('input', {
          id: 'docs-search',
          type: 'search',
          ref: (element: HTMLInputElement | null) => {
            if (element) field.current = element;
          },
          placeholder: 'What do you want to do? Search all operations',
          'aria-keyshortcuts': '/ Control+K',
          'aria-describedby': 'docs-found',
          value: text,
          onChange: ({ target }: { target: HTMLInputElement }) => setText(target.value),
          onKeyDown: ({ key }: KeyboardEvent) => {
            if (key === 'Escape') setText('');
            if (key === 'Enter') openBest(find(text.trim()));
          },
        }),
        h('kbd', { 'aria-hidden': true }, '/'),
        h('p', { id: 'docs-found', role: 'status' }, phrase === '' ? '' : sayFound(find(phrase).size, phrase)),
      );
    };

    const openBest = (found: ReadonlyMap<string, number>): void => {
      const [best] = [...found].sort(([, one], [, other]) => other - one);
      if (best) window.dispatchEvent(new CustomEvent('docs:open', { detail: best[0] }));
    };

    const orNothing =
      (Operations: unknown): Component =>
      (props: Props): View => {
        const phrase = phraseNow();
        if (phrase === '' || find(phrase).size > 0) return h(Operations, props);
        return h(
          'div',
          { className: 'docs-nothing' },
          h(
            'p',
            null,
            'Nothing found for ',
            h('q', null, phrase),
            '. Every word must occur: try fewer or other words.',
          ),
          h('button', { className: 'btn', onClick: leaveSearch }, 'Show all operations'),
        );
      };

    return {
      fn: {
        opsFilter: (groups: Immutable, phrase: string): Immutable => {
          const found = find(phrase.trim());
          if (phrase.trim() === '') return groups;
          const points = (operation: Immutable): number =>
            found.get(operation.getIn(['operation', 'operationId']) as string) ?? 0;
          const best = (group: Immutable): number =>
            (group.get('operations') as Immutable).reduce((most, one) => Math.max(most, points(one)), 0);
          return groups
            .map((group) => {
              const operations = group.get('operations') as Immutable;
              return group.set(
                'operations',
                operations.filter((one) => points(one) > 0).sortBy((one) => -points(one)),
              );
            })
            .filter((group) => (group.get('operations') as Immutable).size > 0)
            .sortBy((group) => -best(group));
        },
      },
      components: { FilterContainer: SearchField },
      wrapComponents: { operations: orNothing },
      statePlugins: {
        layout: {
          wrapSelectors: {
            // Found operations are seen without opening their groups.
            isShown:
              (original: (...args: unknown[]) => unknown) =>
              (state: unknown, thing: unknown, byDefault: unknown): unknown => {
                const [kind, tag] = Array.isArray(thing) ? (thing as string[]) : [];
                if (kind !== GROUP || phraseNow() === '') return original(thing, byDefault);
                return !folded.has(tag!);
              },
          },
          wrapActions: {
            show:
              (original: (...args: unknown[]) => unknown) =>
              (thing: unknown, shown: unknown): unknown => {
                const [kind, tag] = Array.isArray(thing) ? (thing as string[]) : [];
                if (kind === GROUP) folded[shown ? 'delete' : 'add'](tag!);
                return original(thing, shown);
              },
          },
        },
      },
    };
  };
}

/** Shows all operations again. */
export function leaveSearch(): void {
  window.dispatchEvent(new Event('docs:leave-search'));
}

function sayFound(count: number, phrase: string): string {
  return `${count} ${count === 1 ? 'operation' : 'operations'} found for “${phrase}”${count > 1 ? '; Enter opens the first' : ''}`;
}

function isShortcut({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey) return true;
  if (key !== '/' || ctrlKey || metaKey || altKey) return false;
  return !(target instanceof Element && target.closest('input, textarea, select, [contenteditable]'));
}
