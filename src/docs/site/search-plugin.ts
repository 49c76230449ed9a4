import { type ApiDocument, routesOf } from './document.js';
import { type Hit, Search } from './search.js';
import type { Component, Plugin, PluginMaker, Props, View } from './system.js';

const TYPING_MS = 120;
const SHOWN = 30;
/** A search that can be passed on: /docs?search=force+mfa */
const PARAMETER = 'search';

/** The search over operations and tasks; what was found takes the place of the rest of the page. */
export function searchPlugin(document: ApiDocument): PluginMaker {
  const badges = new Map(
    routesOf(document).map(({ method, operation: { operationId, tags } }) => [
      operationId,
      { method, href: `#/${encodeURIComponent(tags[0] ?? '')}/${operationId}` },
    ]),
  );
  const index = once(loadIndex);

  return ({ React }): Plugin => {
    const { createElement: h, Fragment, useEffect, useRef, useState } = React;

    const DocsSearch: Component = ({ children }): View => {
      const [text, setText] = useState(phraseOfAddress());
      const [phrase, setPhrase] = useState('');
      const [search, setSearch] = useState<Search | undefined>(undefined);
      const [trouble, complain] = useState('');
      const field = useRef<HTMLInputElement | undefined>(undefined);
      useEffect(() => {
        const wanted = text.trim();
        const timer = setTimeout(() => {
          setPhrase(wanted);
          noteInAddress(wanted);
          if (wanted === '') return;
          index().then(setSearch, () => complain('The search could not be loaded. Load the page again.'));
        }, TYPING_MS);
        return () => clearTimeout(timer);
      }, [text]);
      useEffect(() => {
        const onKey = (event: KeyboardEvent): void => {
          if (!isShortcut(event)) return;
          event.preventDefault();
          field.current?.focus();
          field.current?.select();
        };
        const onLeave = (): void => {
          setText('');
          setPhrase('');
          noteInAddress('');
        };
        window.addEventListener('keydown', onKey);
        window.addEventListener('docs:leave-search', onLeave);
        return () => {
          window.removeEventListener('keydown', onKey);
          window.removeEventListener('docs:leave-search', onLeave);
        };
      }, []);
      const hits = search && phrase !== '' ? search.find(phrase).slice(0, SHOWN) : [];
      const isSearching = phrase !== '' && search !== undefined;
      return h(
        Fragment,
        null,
        h(
          'search',
          { className: 'docs-search wrapper', onKeyDown: moveByArrows },
          h('label', { htmlFor: 'docs-search', className: 'docs-hidden' }, 'Search operations and tasks'),
          h('input', {
            id: 'docs-search',
            type: 'search',
            autoComplete: 'off',
            ref: (element: HTMLInputElement | null) => {
              if (element) field.current = element;
            },
            placeholder: 'What do you want to do?',
            'aria-keyshortcuts': '/ Control+K',
            'aria-describedby': 'docs-found',
            value: text,
            onFocus: () => void index().then(setSearch, () => undefined),
            onChange: ({ target }: { target: HTMLInputElement }) => setText(target.value),
            onKeyDown: ({ key }: KeyboardEvent) => {
              if (key === 'Escape') setText('');
              if (key === 'Enter' && search) openHit(search.find(text.trim())[0]);
            },
          }),
          h('kbd', { 'aria-hidden': true }, '/'),
          h('p', { id: 'docs-found', role: 'status' }, trouble || (isSearching ? sayFound(hits.length, phrase) : '')),
          isSearching && hits.length > 0 && h(Hits, { hits }),
          isSearching && hits.length === 0 && h(Nothing, { phrase }),
        ),
        // Hidden, so that forms that are filled in stay as they are.
        h('div', { hidden: isSearching }, children),
      );
    };

    const Hits: Component = ({ hits }): View =>
      h(
        'ol',
        { className: 'docs-hits', 'aria-label': 'Found' },
        (hits as Hit[]).map((hit) =>
          h(
            'li',
            { key: `${hit.kind} ${hit.id}` },
            h(
              'a',
              {
                href: badges.get(hit.id)?.href ?? '#operations',
                onClick: (event: MouseEvent) => {
                  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                  event.preventDefault();
                  openHit(hit);
                },
              },
              h('span', { className: `docs-kind docs-kind-${hit.kind}` }, badges.get(hit.id)?.method ?? 'task'),
              h('span', { className: 'docs-hit-title' }, hit.title),
              h('span', { className: 'docs-hit-about' }, hit.kind === 'task' ? hit.about : `${hit.id} · ${hit.about}`),
            ),
          ),
        ),
      );

    const Nothing: Component = ({ phrase }: Props): View =>
      h(
        'div',
        { className: 'docs-nothing' },
        h('p', null, 'Nothing found for ', h('q', null, phrase), '.'),
        h(
          'p',
          null,
          'Say it in other words, or name the thing alone: user, password, application, key, e-mail, policy.',
        ),
        h('button', { type: 'button', className: 'btn', onClick: leaveSearch }, 'Show all tasks and operations'),
      );

    return { components: { DocsSearch } };
  };
}

/** Shows all operations again. */
export function leaveSearch(): void {
  window.dispatchEvent(new Event('docs:leave-search'));
}

function openHit(hit: Hit | undefined): void {
  if (hit) window.dispatchEvent(new CustomEvent('docs:open', { detail: hit.id }));
}

async function loadIndex(): Promise<Search> {
  const response = await fetch('/docs/search.json');
  if (!response.ok) throw new Error(`The index of the search: ${response.status}`);
  return Search.fromJson(await response.text());
}

/** Makes the value once; it is asked for again only after a failure. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

function phraseOfAddress(): string {
  return new URLSearchParams(location.search).get(PARAMETER) ?? '';
}

function noteInAddress(phrase: string): void {
  if (phrase === phraseOfAddress().trim()) return;
  const url = new URL(location.href);
  if (phrase === '') url.searchParams.delete(PARAMETER);
  else url.searchParams.set(PARAMETER, phrase);
  history.replaceState(history.state, '', url);
}

/** Moves by the arrow keys from the field to the results, and back; Enter opens a link by itself. */
function moveByArrows(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, .docs-hits a')];
  const next = stops[stops.indexOf(window.document.activeElement as HTMLElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

function sayFound(count: number, phrase: string): string {
  if (count === 0) return `Nothing found for “${phrase}”`;
  const many = count === SHOWN ? `The best ${SHOWN}` : `${count} ${count === 1 ? 'result' : 'results'}`;
  return `${many} for “${phrase}”; Enter opens the first, the arrow keys lead to the others`;
}

function isShortcut({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey) return true;
  if (key !== '/' || ctrlKey || metaKey || altKey) return false;
  return !(target instanceof Element && target.closest('input, textarea, select, [contenteditable]'));
}
