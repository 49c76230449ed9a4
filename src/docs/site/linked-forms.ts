import type { ApiDocument, Route } from './document.js';
import { decoded, fragmentOf, type OperationLink, readOperationLink } from './operation-link.js';
import type { OrgChoice } from './org-choice.js';
import type { ShownIds } from './shown-ids.js';
import { openBodies, openParameters, type System } from './system.js';

interface Parts {
  readonly document: ApiDocument;
  readonly ids: ShownIds;
  readonly org: OrgChoice;
}

/**
 * Forms that links have filled in. A link replaces all that the form held, also what an earlier link has left there,
 * and sends nothing.
 */
export class LinkedForms {
  private readonly links = new Map<string, OperationLink>();

  /** What the link has filled in that led to the form last; nothing if none did. */
  namesIn(path: string, method: string): readonly string[] {
    return this.links.get(`${method} ${path}`)?.names ?? [];
  }

  /**
   * Has Swagger UI start at the operation alone: it reads all of a fragment as the name of one, and does not start at
   * all with half of an escape.
   * @returns what fills the form in once Swagger UI is there
   */
  atStart(document: ApiDocument): (system: System, parts: Parts) => void {
    const { hash } = location;
    const link = readOperationLink(hash, document);
    if (link) history.replaceState(history.state, '', fragmentOf(link.route));
    else if (decoded(hash) === undefined) history.replaceState(history.state, '', '#');
    if (!link) return () => undefined;
    return (system, parts) => this.open(link, hash, system, parts);
  }

  /** Follows links while the page is open. */
  listen(system: System, parts: Parts): void {
    window.addEventListener('hashchange', () => {
      const { hash } = location;
      const link = readOperationLink(hash, parts.document);
      if (!link) return;
      window.dispatchEvent(new CustomEvent('docs:open', { detail: link.route.operation.operationId }));
      this.open(link, hash, system, parts);
    });
  }

  private open(link: OperationLink, hash: string, system: System, parts: Parts): void {
    const { path, method } = link.route;
    this.links.set(`${method} ${path}`, link);
    parts.ids.keep(path, link.values);
    fillIn(link, system, parts);
    // An answer to an earlier request would seem to be one to this.
    system.specActions.clearResponse(path, method);
    system.specActions.clearRequest(path, method);
    // Swagger UI has put the operation alone there: a reload is to show the same form.
    history.replaceState(history.state, '', hash);
  }
}

function fillIn({ route, parameters, body }: OperationLink, system: System, { ids, org }: Parts): void {
  const { path, method } = route;
  const isOfForm = (one: { readonly path: string; readonly method: string }): boolean =>
    one.path === path && one.method === method;
  const fill = (place: string, key: string, value: string | null): void =>
    void system.specActions.changeParam([path, method], key, place, value);
  const linked = new Map(parameters.map(({ place, name, value }) => [`${place}.${name}`, value]));
  // A form that was never open has no fields yet; their values are found under their names alone.
  for (const { place, name, value } of parameters) fill(place, name, value);
  for (const { place, name, key } of openParameters(system).filter(isOfForm))
    fill(place, key, linked.get(`${place}.${name}`) ?? usualValue(route, place, name, ids, org));
  const isOpen = openBodies(system).some((one) => isOfForm(one) && one.value !== undefined);
  const usual = route.operation.requestBody?.content['application/json']?.example;
  const value = body ?? (isOpen ? usual : undefined);
  if (value === undefined) return;
  const pathMethod = [path, method];
  // Swagger UI forgets the body of a form that it opens.
  system.oas3Actions.setRetainRequestBodyValueFlag({ value: true, pathMethod });
  system.oas3Actions.setRequestBodyValue({ value: ids.body(JSON.stringify(value, undefined, 2), path), pathMethod });
}

/** What the form would show without a link. */
function usualValue(
  { path, operation: { parameters = [] } }: Route,
  place: string,
  name: string,
  ids: ShownIds,
  org: OrgChoice,
): string | null {
  if (place === 'header' && name === org.header) return org.id ?? null;
  const { example } = parameters.find((one) => one.in === place && one.name === name) ?? {};
  return typeof example === 'string' ? ids.parameter(example, name, path) : null;
}
