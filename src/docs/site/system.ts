/*
 * What our plug-ins use of Swagger UI, in types. The package comes without any; its plug-in interface is described at
 * https://swagger.io/docs/open-source-tools/swagger-ui/customization/plugin-api/
 *
 * Written against swagger-ui-dist 5.33: the interface is documented, but not the names of the parts that it wraps and
 * calls, nor the shape of its state. They are all here, so that the compiler refuses another one elsewhere.
 */

/** The result of a component. */
export type View = unknown;
export type Props = Readonly<Record<string, unknown>>;
export type Component = (props: Props) => View;

export interface React {
  readonly Fragment: unknown;
  readonly createElement: (type: unknown, props?: object | null, ...children: unknown[]) => View;
  readonly useState: <T>(initial: T) => [T, (next: T) => void];
  readonly useEffect: (effect: () => undefined | (() => void), dependencies?: readonly unknown[]) => void;
  readonly useRef: <T>(initial: T) => { current: T };
}

/** A list or map of Immutable.js, as far as we read one. */
export interface Immutable {
  readonly size: number;
  get(key: string | number): unknown;
  getIn(path: readonly (string | number)[]): unknown;
  set(key: string, value: unknown): Immutable;
  setIn(path: readonly string[], value: unknown): Immutable;
  filter(keep: (value: Immutable, key: string) => boolean): Immutable;
  map(change: (value: Immutable, key: string) => unknown): Immutable;
  sortBy(by: (value: Immutable, key: string) => number): Immutable;
  forEach(visit: (value: Immutable, key: string) => unknown): void;
  reduce<T>(add: (sum: T, value: Immutable) => T, start: T): T;
  toJS(): unknown;
}

type Calls<Names extends string> = Readonly<Record<Names, (...args: unknown[]) => unknown>>;
/** Wrappers by the names of what they wrap. */
type Wraps<Names extends string> = Readonly<
  Partial<Record<Names, (original: Original, system: System) => (...args: never[]) => unknown>>
>;

/** The components that we wrap. */
type Wrapped =
  | 'AuthorizeBtnContainer'
  | 'execute'
  | 'OperationTag'
  | 'parameterRow'
  | 'RequestBodyEditor'
  | 'responses';
/** Components that are replaced, or ours. */
type Made = 'DocsLayout' | 'DocsSearch' | 'operations';
type Shown = 'errors' | 'InfoContainer' | 'OperationContainer' | 'responseBody' | 'SvgAssets';
export type GetComponent = (name: Wrapped | Made | Shown, isContainer?: boolean) => unknown;

/** Elements of the page. */
export const ELEMENTS = {
  dialogue: '.modal-ux-content',
  submit: '.authorize',
  operation: '.opblock',
  body: '.opblock-body',
  summary: '.opblock-summary-control',
  descriptions: ['.markdown', '.renderedMarkdown'],
} as const;

/** The id of the element of an operation. */
export function elementIdOf(tag: string, operationId: string): string {
  return `operations-${tag.replaceAll(' ', '_')}-${operationId}`;
}

export type Resolve = (document: unknown, path: readonly string[], options: unknown) => Promise<unknown>;

export interface System {
  readonly React: React;
  readonly fn: { readonly resolveSubtree: Resolve };
  readonly specSelectors: Calls<
    | 'info'
    | 'mutatedRequestFor'
    | 'parameterWithMetaByIdentity'
    | 'specJson'
    | 'specResolvedSubtree'
    | 'taggedOperations'
  >;
  readonly specActions: Calls<'changeParam' | 'clearRequest' | 'clearResponse' | 'execute' | 'updateJsonSpec'>;
  readonly layoutSelectors: unknown;
  readonly layoutActions: Calls<'show'>;
  readonly oas3Selectors: unknown;
  readonly oas3Actions: Calls<'setRequestBodyValue' | 'setRetainRequestBodyValueFlag'>;
  readonly authSelectors: Calls<'authorized'>;
  readonly authActions: Calls<'restoreAuthorization' | 'showDefinitions'>;
  readonly getSystem: () => System;
  readonly getState: () => Immutable;
}

/** The wrapped function, which takes no state. */
export type Original = (...args: unknown[]) => unknown;

export interface Plugin {
  readonly fn?: Partial<System['fn']>;
  readonly components?: Readonly<Partial<Record<Made, unknown>>>;
  readonly wrapComponents?: Readonly<Partial<Record<Wrapped, (original: unknown, system: System) => unknown>>>;
  readonly statePlugins?: {
    readonly spec?: {
      readonly wrapSelectors?: Wraps<'parameterWithMetaByIdentity' | 'taggedOperations'>;
      readonly wrapActions?: Wraps<'parseToJson'>;
    };
    readonly oas3?: { readonly wrapSelectors: Wraps<'requestBodyValue'> };
    readonly auth?: {
      readonly wrapActions: Wraps<
        'authorize' | 'authorizeOauth2' | 'logout' | 'persistAuthorizationIfNeeded' | 'showDefinitions'
      >;
    };
    readonly configs?: { readonly wrapActions: Wraps<'loaded'> };
  };
}

export type PluginMaker = (system: System) => Plugin;

/** A form that is open: what its body holds. */
export interface OpenBody {
  readonly path: string;
  readonly method: string;
  readonly value: unknown;
}

/** A field of a form that is open. */
export interface OpenParameter {
  readonly path: string;
  readonly method: string;
  readonly place: string;
  readonly name: string;
  /** The name, with a digest of the parameter: what an action takes. */
  readonly key: string;
  readonly value: unknown;
}

export function openBodies({ getState }: System): OpenBody[] {
  return operationsIn(getState().getIn(['oas3', 'requestData'])).map(([path, method, request]) => ({
    path,
    method,
    value: request.get('bodyValue'),
  }));
}

export function openParameters({ getState }: System): OpenParameter[] {
  return operationsIn(getState().getIn(['spec', 'meta', 'paths'])).flatMap(([path, method, operation]) =>
    entriesOf(operation.get('parameters')).map(([placeAndKey, parameter]) => {
      const dot = placeAndKey.indexOf('.');
      const key = placeAndKey.slice(dot + 1);
      const name = key.replace(/\.hash-.*$/, '');
      return { path, method, place: placeAndKey.slice(0, dot), name, key, value: parameter.get('value') };
    }),
  );
}

/** The state with which anything but an operation changes. */
export function specState({ getState }: System): unknown {
  return getState().get('spec');
}

function operationsIn(byPath: unknown): Array<readonly [path: string, method: string, operation: Immutable]> {
  return entriesOf(byPath).flatMap(([path, ofPath]) =>
    entriesOf(ofPath).map(([method, operation]) => [path, method, operation] as const),
  );
}

function entriesOf(map: unknown): Array<readonly [string, Immutable]> {
  const entries: Array<readonly [string, Immutable]> = [];
  (map as Immutable | undefined)?.forEach((value, key) => entries.push([key, value]));
  return entries;
}

/** A request or response of Swagger UI, which interceptors may change. */
export interface SentRequest {
  url: string;
  method?: string;
  body?: unknown;
  headers: Record<string, string>;
}
export interface ReceivedResponse {
  readonly url: string;
  readonly ok: boolean;
  readonly status: number;
  readonly body?: unknown;
  readonly text?: string;
}

declare global {
  interface Window {
    readonly SwaggerUIBundle: (options: object) => System & { initOAuth(options: object): void };
  }
}
