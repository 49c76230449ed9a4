import { type ApiDocument, routesOf } from './document.js';
import { leaveSearch } from './search-plugin.js';
import {
  type Component,
  ELEMENTS,
  elementIdOf,
  type Plugin,
  type PluginMaker,
  type Props,
  type System,
  type View,
} from './system.js';

const LINKS = ELEMENTS.descriptions.map((text) => `${text} a[href^="#/"]`).join(', ');
const LOOKS = 40;
const LOOK_AGAIN_MS = 50;

/** Headings over the groups, and links from operation to operation. */
export function guidancePlugin(document: ApiDocument): PluginMaker {
  const sections = new Map(document['x-tagGroups'].map(({ name, tags }) => [tags[0], name]));
  const places = new Map(
    routesOf(document).map(({ operation: { operationId, tags } }) => [operationId, [tags[0]!, operationId]] as const),
  );

  return ({ React, getSystem }): Plugin => {
    const h = React.createElement;
    listenToLinks(places, getSystem);
    const withHeading =
      (OperationTag: unknown): Component =>
      (props: Props): View => {
        const heading = sections.get(props['tag'] as string);
        if (heading === undefined) return h(OperationTag, props);
        return h(React.Fragment, null, h('h2', { className: 'docs-section' }, heading), h(OperationTag, props));
      };
    return { wrapComponents: { OperationTag: withHeading } };
  };
}

/** Swagger UI opens every link of a description in a new window, also those that lead to an operation here. */
function listenToLinks(places: ReadonlyMap<string, readonly [tag: string, id: string]>, getSystem: () => System): void {
  const open = (tag: string, id: string): void => {
    const { show } = getSystem().layoutActions;
    leaveSearch();
    show(['operations-tag', tag], true);
    show(['operations', tag, id], true);
    void bringIntoView(tag, id);
  };
  window.addEventListener('docs:open', (event) => {
    const id = (event as CustomEvent<string>).detail;
    const place = places.get(id);
    if (place) open(...place);
    else openTask(id);
  });
  window.addEventListener('click', (event) => {
    const { target, ctrlKey, metaKey, shiftKey } = event;
    const link = target instanceof Element && target.closest(LINKS);
    if (!link || ctrlKey || metaKey || shiftKey) return;
    const [tag, id] = decodeURIComponent(link.getAttribute('href')!).slice(2).split('/');
    if (tag === undefined || id === undefined) return;
    event.preventDefault();
    open(tag, id);
  });
}

function openTask(title: string): void {
  leaveSearch();
  const summaries = [...window.document.querySelectorAll<HTMLElement>('.docs-start summary')];
  const summary = summaries.find(({ textContent }) => textContent === title);
  summary?.parentElement?.setAttribute('open', '');
  // Operations that the search has hidden are there with the next frame.
  requestAnimationFrame(() => summary?.focus());
}

/** Brings an operation into view once it is shown, with the next frames. */
async function bringIntoView(tag: string, id: string): Promise<void> {
  for (let look = 0; look < LOOKS; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    const operation = window.document.getElementById(elementIdOf(tag, id));
    if (!operation?.querySelector(ELEMENTS.body)) continue;
    operation.scrollIntoView({ block: 'start' });
    operation.querySelector<HTMLElement>(ELEMENTS.summary)?.focus({ preventScroll: true });
    return;
  }
}
