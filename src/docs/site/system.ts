/*
 * What our plug-ins use of Swagger UI, in types. The package comes without any; its plug-in interface is described at
 * https://swagger.io/docs/open-source-tools/swagger-ui/customization/plugin-api/
 */

/** What a component returns. */
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
  forEach(visit: (value: Immutable, key: string) => void): void;
  reduce<T>(add: (sum: T, value: Immutable) => T, start: T): T;
  toJS(): unknown;
}

type Selectors = Readonly<Record<string, (...args: unknown[]) => unknown>>;
type Actions = Readonly<Record<string, (...args: unknown[]) => unknown>>;

export interface System {
  readonly React: React;
  readonly fn: Readonly<Record<string, unknown>>;
  readonly specSelectors: Selectors;
  readonly specActions: Actions;
  readonly layoutSelectors: Selectors;
  readonly layoutActions: Actions;
  readonly oas3Selectors: Selectors;
  readonly oas3Actions: Actions;
  readonly authSelectors: Selectors;
  readonly authActions: Actions;
  readonly getSystem: () => System;
  readonly getState: () => Immutable;
}

/** What is wrapped: it takes no state. */
export type Original = (...args: unknown[]) => unknown;

export interface StatePlugin {
  readonly wrapSelectors?: Readonly<
    Record<string, (original: Original, system: System) => (...args: never[]) => unknown>
  >;
  readonly wrapActions?: Readonly<
    Record<string, (original: Original, system: System) => (...args: never[]) => unknown>
  >;
}

export interface Plugin {
  readonly fn?: Readonly<Record<string, unknown>>;
  readonly components?: Readonly<Record<string, unknown>>;
  readonly wrapComponents?: Readonly<Record<string, (original: unknown, system: System) => unknown>>;
  readonly statePlugins?: Readonly<Record<string, StatePlugin>>;
}

export type PluginMaker = (system: System) => Plugin;

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
