import { withBodyOffers } from './body-offers.js';
import type { Caller } from './caller.js';
import { bodyOf, type FormValues, readingOf } from './current.js';
import type { ApiDocument, ApiOperation } from './document.js';
import type { FoundObjects } from './found-objects.js';
import { kindOfParameter } from './kinds.js';
import type { LinkedForms } from './linked-forms.js';
import type { OrgChoice } from './org-choice.js';
import type { ShownIds } from './shown-ids.js';
import {
  type Component,
  ELEMENTS,
  type Immutable,
  openBodies,
  openParameters,
  type Plugin,
  type PluginMaker,
  type Props,
  type System,
  type View,
} from './system.js';

interface Parts {
  readonly document: ApiDocument;
  readonly ids: ShownIds;
  readonly found: FoundObjects;
  readonly org: OrgChoice;
  readonly caller: Caller;
  readonly linked: LinkedForms;
}

type Call = (...args: unknown[]) => unknown;
type PathMethod = readonly [path: string, method: string];

/**
 * Forms that show what is sent, offer what is known, fill themselves with what is there, and ask before anything is
 * lost.
 */
export function formsPlugin(parts: Parts): PluginMaker {
  return ({ React, getSystem }): Plugin => ({
    wrapComponents: {
      parameterRow: (Row) => withOffers(React, Row, parts),
      RequestBodyEditor: (Editor) => withBodyOffers(React, Editor, parts.found, parts.document),
      execute: (Execute) => withCare(React, getSystem, Execute, parts),
    },
    statePlugins: {
      spec: {
        wrapSelectors: {
          parameterWithMetaByIdentity:
            (original: Call) => (_state: unknown, pathMethod: unknown, parameter: Immutable) =>
              fillParameter(original(pathMethod, parameter) as Immutable, parts, (pathMethod as PathMethod)[0]),
        },
      },
      oas3: {
        wrapSelectors: {
          requestBodyValue: (original: Call) => (_state: unknown, path: unknown, method: unknown) => {
            const value = original(path, method);
            return typeof value === 'string' ? parts.ids.body(value, String(path)) : value;
          },
        },
      },
    },
  });
}

function fillParameter(parameter: Immutable, { ids, org }: Parts, path: string): Immutable {
  const name = parameter.get('name') as string;
  const value = parameter.get('value');
  if (typeof value === 'string') return parameter.set('value', ids.parameter(value, name, path));
  if (value !== undefined) return parameter;
  if (org.id !== undefined && name === org.header) return parameter.set('example', org.id);
  const example = parameter.get('example');
  return typeof example === 'string' ? parameter.set('example', ids.parameter(example, name, path)) : parameter;
}

/** Brings forms that are open already up to date with ids that were learned, or with another organization. */
export function refreshForms(system: System, { ids, org }: Pick<Parts, 'ids' | 'org'>, orgChanged = false): void {
  for (const { path, method, value } of openBodies(system)) {
    const now = typeof value === 'string' ? ids.body(value, path) : value;
    if (now !== value) system.oas3Actions.setRequestBodyValue({ value: now, pathMethod: [path, method] });
  }
  for (const { path, method, place, name, key, value } of openParameters(system)) {
    const isOrg = orgChanged && place === 'header' && name === org.header;
    const now = isOrg ? (org.id ?? null) : typeof value === 'string' ? ids.parameter(value, name, path) : value;
    if (now !== value) system.specActions.changeParam([path, method], key, place, now);
  }
}

/** Below a field for an id: what was made or found here. */
function withOffers(React: System['React'], Row: unknown, { found }: Parts): Component {
  const h = React.createElement;
  return (props: Props): View => {
    const parameter = props['rawParam'] as Immutable;
    const [path] = props['pathMethod'] as PathMethod;
    const name = parameter.get('name') as string;
    const kind = name.endsWith('-orgid') ? 'organization' : kindOfParameter(name, path);
    const offers = found.of(kind);
    if (offers.length === 0) return h(Row, props);
    const change = props['onChange'] as (parameter: Immutable, value: string, isXml: boolean) => void;
    const label = `Known ${kind}s`;
    return h(
      React.Fragment,
      null,
      h(Row, props),
      h(
        'tr',
        { className: 'docs-offers' },
        h('td', null),
        h(
          'td',
          null,
          h(
            'select',
            {
              'aria-label': label,
              value: '',
              onChange: ({ target }: { target: HTMLSelectElement }) => change(parameter, target.value, false),
            },
            h('option', { value: '' }, `${label} …`),
            offers.map(({ id, name: called }) =>
              h('option', { key: id, value: id }, called ? `${called} (${id})` : id),
            ),
          ),
        ),
      ),
    );
  };
}

/** The button that sends, with what it is about, what is there now, and a question before anything is lost. */
function withCare(React: System['React'], getSystem: () => System, Execute: unknown, parts: Parts): Component {
  const h = React.createElement;
  const Question = questionOf(React);
  return (props: Props): View => {
    const { path, method, operation, specActions, onExecute } = props as unknown as {
      path: string;
      method: string;
      operation: Immutable;
      specActions: System['specActions'];
      onExecute: () => void;
    };
    const [asked, ask] = React.useState<unknown>(undefined);
    const [trouble, complain] = React.useState('');
    const warning = operation.get('x-confirm');
    const declared = parts.document.paths[path]?.[method];
    const values = valuesOf(getSystem(), path, method, operation);
    const linked = parts.linked.namesIn(path, method);
    const send = (): void => {
      onExecute();
      specActions.execute(asked);
      ask(undefined);
    };
    const load = async (): Promise<void> => {
      const body = await loadCurrent(parts, declared!, values);
      complain(
        body ? '' : `Nothing was loaded. ${parts.caller.token === undefined ? 'Sign in first.' : 'Does it exist?'}`,
      );
      if (!body) return;
      getSystem().oas3Actions.setRequestBodyValue({
        value: JSON.stringify(body, undefined, 2),
        pathMethod: [path, method],
      });
    };
    const careful =
      typeof warning === 'string'
        ? { ...props, onExecute: () => undefined, specActions: { ...specActions, execute: (all: unknown) => ask(all) } }
        : props;
    return h(
      'div',
      { className: 'docs-execute', onClickCapture: takeWhatWasTyped },
      linked.length > 0 &&
        h('p', { className: 'docs-linked' }, `Filled in by a link: ${linked.join(', ')}. Read it before you send it.`),
      h('p', { className: 'docs-scope' }, sayScope(parts, path, values)),
      declared?.['x-current'] &&
        h('button', { type: 'button', className: 'btn docs-load', onClick: () => void load() }, 'Load what is there'),
      trouble !== '' && h('p', { role: 'alert', className: 'docs-trouble' }, trouble),
      h(Execute, careful),
      asked !== undefined &&
        h(Question, {
          title: operation.get('summary'),
          about: aboutOf(parts, values),
          warning,
          onYes: send,
          onNo: () => ask(undefined),
        }),
    );
  };
}

/**
 * Swagger UI waits a third of a second after the last key before it takes what a field holds, or until the field is
 * left. A program that fills a form in and presses the button at once, or a shortcut, does neither.
 */
function takeWhatWasTyped({ currentTarget }: { readonly currentTarget: HTMLElement }): void {
  for (const field of currentTarget.closest(ELEMENTS.operation)?.querySelectorAll('input, textarea') ?? [])
    field.dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
}

function questionOf({ createElement: h, useEffect, useRef }: System['React']): Component {
  return ({ title, about, warning, onYes, onNo }): View => {
    const dialogue = useRef<HTMLDialogElement | undefined>(undefined);
    useEffect(() => {
      dialogue.current?.showModal();
      return undefined;
    }, []);
    return h(
      'dialog',
      {
        className: 'docs-question',
        'aria-labelledby': 'docs-question',
        onCancel: onNo,
        ref: (element: HTMLDialogElement | null) => {
          if (element) dialogue.current = element;
        },
      },
      h('h3', { id: 'docs-question' }, title, '?'),
      h('ul', null, ...(about as string[]).map((one) => h('li', { key: one }, one))),
      h('p', null, warning),
      h(
        'div',
        { className: 'docs-answers' },
        h('button', { type: 'button', className: 'btn', autoFocus: true, onClick: onNo }, 'Cancel'),
        h('button', { type: 'button', className: 'btn docs-danger', onClick: onYes }, 'Yes, do it'),
      ),
    );
  };
}

/** The values by `in.name`, as the form shows them. */
function valuesOf({ specSelectors }: System, path: string, method: string, operation: Immutable): Map<string, string> {
  const values = new Map<string, string>();
  (operation.get('parameters') as Immutable | undefined)?.forEach((parameter) => {
    const shown = specSelectors.parameterWithMetaByIdentity([path, method], parameter) as Immutable;
    const value = shown.get('value') ?? shown.get('example');
    if (typeof value === 'string')
      values.set(`${parameter.get('in') as string}.${parameter.get('name') as string}`, value);
  });
  return values;
}

function aboutOf({ found }: Parts, values: FormValues): string[] {
  return [...values]
    .filter(([key]) => !key.startsWith('header.'))
    .map(([key, value]) => {
      const name = found.nameOf(value);
      return `${key.slice(key.indexOf('.') + 1)}: ${name === undefined ? value : `${name} (${value})`}`;
    });
}

function sayScope({ org, found }: Parts, path: string, values: FormValues): string {
  if (path.startsWith('/admin/')) return 'Acts on the whole instance';
  if (!path.startsWith('/management/')) return '';
  const id = values.get(`header.${org.header}`);
  if (id === undefined || id === '') return 'Acts in your own organization';
  return `Acts in the organization ${found.nameOf(id) ?? id}`;
}

/** The values that the update would replace, in the fields that it takes. */
async function loadCurrent(
  { document, org, caller }: Parts,
  { 'x-current': current, requestBody }: ApiOperation,
  values: FormValues,
): Promise<Record<string, unknown> | undefined> {
  const { method, path, body } = readingOf(current!, values);
  const chosen = values.get(`header.${org.header}`);
  const answer = await caller.send(method, path, body, chosen ? { [org.header ?? '']: chosen } : {});
  const schema = requestBody?.content['application/json']?.schema?.$ref?.split('/').at(-1) ?? '';
  return bodyOf(current!, answer, Object.keys(document.components.schemas[schema]?.properties ?? {}));
}
