import { toCurl } from './curl.js';
import type { ApiDocument, Route } from './document.js';
import { type Programs, programsView } from './programs.js';
import { type KnownIds, readableView } from './readable.js';
import type { Component, GetComponent, Immutable, Plugin, PluginMaker, Props, System, View } from './system.js';
import { type Called, callOf, exampleCall } from './typescript.js';

/** A program that makes a call. */
type WriteTypeScript = (route: Route, called: Called) => string;

/** Shows the answer itself at once and readable; the documented answers are folded. */
export function answersPlugin(known: KnownIds, document: ApiDocument, write: WriteTypeScript): PluginMaker {
  return ({ React }): Plugin => {
    const Answer = answerOf(React, known);
    const Same: Component = ({ path, method, request }: Props): View => {
      const programs = programsOf(document, write, path as string, method as string, request as Immutable | undefined);
      return programs && programsView(React, { programs });
    };
    return { wrapComponents: { responses: (Responses) => folded(React, Responses, Answer, Same) } };
  };
}

/** Swagger UI colors each word of a body in an element of its own; with more than this, the page stands still. */
export const MAX_SHOWN = 100_000;
const SHOWN_OF_LARGE = 20_000;

/** Lists the documented answers on request: each operation has its response and some ten refusals. */
function folded(
  { createElement: h, useState }: System['React'],
  Responses: unknown,
  Answer: Component,
  Same: Component,
): Component {
  return (props: Props): View => {
    const [open, show] = useState(false);
    const { responses, tryItOutResponse, path, method, specSelectors, getComponent, getConfigs } = props as {
      responses: Immutable;
      tryItOutResponse?: Immutable;
      path: string;
      method: string;
      specSelectors: System['specSelectors'];
      getComponent: GetComponent;
      getConfigs: unknown;
    };
    const request = tryItOutResponse && (specSelectors.mutatedRequestFor(path, method) as Immutable | undefined);
    const refusals = responses.filter((_, code) => !code.startsWith('2') && !code.startsWith('3')).size;
    return h(
      'div',
      { className: 'docs-responses' },
      tryItOutResponse &&
        h(Answer, {
          response: tryItOutResponse,
          request,
          getComponent,
          getConfigs,
        }),
      h(Same, { path, method, request }),
      h(
        'button',
        { type: 'button', className: 'btn docs-unfold', 'aria-expanded': open, onClick: () => show(!open) },
        open ? 'Hide the documented responses' : `Show the documented responses (${refusals} refusals)`,
      ),
      open && h(Responses, { ...props, tryItOutResponse: undefined }),
    );
  };
}

function answerOf(React: System['React'], known: KnownIds): Component {
  const { createElement: h, useEffect, useRef } = React;
  return (props: Props): View => {
    const { response, request, getComponent, getConfigs } = props as {
      response: Immutable;
      request?: Immutable;
      getComponent: GetComponent;
      getConfigs: unknown;
    };
    const place = useRef<HTMLElement | undefined>(undefined);
    const headers = (response.get('headers') as Immutable).toJS() as Record<string, string>;
    const duration = response.get('duration') as number | undefined;
    useEffect(() => {
      place.current?.scrollIntoView({ block: 'nearest' });
      return undefined;
    }, [duration, headers['date']]);
    const status = Number(response.get('status'));
    const content = response.get('text');
    const contentType = headers['content-type'];
    const url = response.get('url') ?? request?.get('url');
    const Body = getComponent('responseBody');
    return h(
      'section',
      {
        className: `docs-answer ${status >= 200 && status < 300 ? 'docs-done' : 'docs-refused'}`,
        'aria-label': 'Response',
        ref: (element: HTMLElement | null) => {
          if (element) place.current = element;
        },
      },
      h(
        'p',
        { className: 'docs-status', role: 'status' },
        h('strong', null, Number.isNaN(status) ? 'No response' : status),
        ` ${status >= 400 ? 'Refused' : status >= 200 ? 'Done' : ''}`,
        duration !== undefined && ` in ${duration} ms`,
      ),
      content ? readableView(React, { content, contentType, url }, known) : null,
      content
        ? h(
            'div',
            { className: 'docs-body' },
            typeof content === 'string' && content.length > MAX_SHOWN
              ? h(LargeBody, { React, content, contentType })
              : h(Body, { content, contentType, url, headers, getComponent, getConfigs }),
          )
        : null,
      response.get('error') ? h('p', { className: 'docs-trouble' }, response.get('message')) : null,
      h(
        'details',
        null,
        h('summary', null, 'Headers'),
        h(
          'pre',
          { className: 'microlight' },
          Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`),
        ),
      ),
    );
  };
}

/** The beginning, and the whole as a file. */
const LargeBody = ({ React, content, contentType }: Props & { readonly React: System['React'] }): View => {
  const h = React.createElement;
  const text = content as string;
  const save = (): void => {
    const url = URL.createObjectURL(new Blob([text], { type: String(contentType) }));
    Object.assign(window.document.createElement('a'), { href: url, download: 'response.json' }).click();
    URL.revokeObjectURL(url);
  };
  return h(
    React.Fragment,
    null,
    h(
      'p',
      { className: 'docs-large' },
      `The response has ${Math.round(text.length / 1_000).toLocaleString('en')} kB. This is its beginning. `,
      h('button', { type: 'button', className: 'btn', onClick: save }, 'Download all of it'),
    ),
    h('pre', { className: 'microlight', tabIndex: 0 }, text.slice(0, SHOWN_OF_LARGE)),
  );
};

/** Programs that send what a form has sent, or else what its examples would; undefined for what is not described. */
function programsOf(
  document: ApiDocument,
  write: WriteTypeScript,
  path: string,
  method: string,
  request: Immutable | undefined,
): Programs | undefined {
  const operation = document.paths[path]?.[method];
  if (!operation) return undefined;
  const route: Route = { method, path, operation };
  if (!request) return { TypeScript: write(route, exampleCall(document, operation)) };
  const sent = request.toJS() as Parameters<typeof toCurl>[0];
  return { curl: toCurl(sent), TypeScript: write(route, callOf(route, sent)) };
}
