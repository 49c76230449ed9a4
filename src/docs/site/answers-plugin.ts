import { toCurl } from './curl.js';
import type { FoundObjects } from './found-objects.js';
import { readableView } from './readable.js';
import type { Component, Immutable, Plugin, PluginMaker, Props, System, View } from './system.js';

/** What came back is seen at once and can be read; what could have come back is folded. */
export function answersPlugin(found: FoundObjects): PluginMaker {
  return ({ React }): Plugin => {
    const Answer = answerOf(React, (id) => found.nameOf(id));
    return { wrapComponents: { responses: (Responses) => folded(React, Responses, Answer) } };
  };
}

type GetComponent = (name: string, isContainer?: boolean) => unknown;

/** Each operation documents its response and some ten refusals: they are listed on request. */
function folded({ createElement: h, useState }: System['React'], Responses: unknown, Answer: Component): Component {
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
    const refusals = responses.filter((_, code) => !code.startsWith('2') && !code.startsWith('3')).size;
    return h(
      'div',
      { className: 'docs-responses' },
      tryItOutResponse &&
        h(Answer, {
          response: tryItOutResponse,
          request: specSelectors['mutatedRequestFor']!(path, method),
          getComponent,
          getConfigs,
        }),
      h(
        'button',
        { type: 'button', className: 'btn docs-unfold', 'aria-expanded': open, onClick: () => show(!open) },
        open ? 'Hide the documented responses' : `Show the documented responses (${refusals} refusals)`,
      ),
      open && h(Responses, { ...props, tryItOutResponse: undefined }),
    );
  };
}

function answerOf(React: System['React'], nameOf: (id: string) => string | undefined): Component {
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
      content ? readableView(React, { content, contentType, url }, nameOf) : null,
      content
        ? h(
            'div',
            { className: 'docs-body' },
            h(Body, { content, contentType, url, headers, getComponent, getConfigs }),
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
      request && h(Curl, { React, request }),
    );
  };
}

const Curl = ({ React, request }: { readonly React: System['React']; readonly request: Immutable }): View => {
  const { createElement: h, useState } = React;
  const [copied, setCopied] = useState(false);
  const text = toCurl(request.toJS() as Parameters<typeof toCurl>[0]);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return h(
    'details',
    { className: 'docs-curl' },
    h('summary', null, 'The same with curl'),
    h('pre', { className: 'curl microlight', tabIndex: 0 }, text),
    h('button', { type: 'button', className: 'btn', onClick: () => void copy() }, copied ? 'Copied' : 'Copy'),
  );
};
