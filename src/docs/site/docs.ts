/* Swagger UI over our own document, with plug-ins that make it the tool of administrators. */
import { answersPlugin, MAX_SHOWN } from './answers-plugin.js';
import { Caller } from './caller.js';
import { type ApiDocument, hideFormerNames, orgHeaderOf } from './document.js';
import { ExampleIds, type MadeId } from './examples.js';
import { formsPlugin, refreshForms } from './forms-plugin.js';
import { type FoundByKind, FoundObjects } from './found-objects.js';
import { guidancePlugin } from './guidance-plugin.js';
import { layoutPlugin } from './layout-plugin.js';
import { LinkedForms } from './linked-forms.js';
import { Memory, ofBrowser } from './memory.js';
import { operationsPlugin } from './operations-plugin.js';
import { OrgChoice, orgPlugin } from './org-choice.js';
import { searchPlugin } from './search-plugin.js';
import { ShownIds } from './shown-ids.js';
import { openDialogueAtTop, signInPlugin } from './sign-in-plugin.js';
import { speedPlugin } from './speed-plugin.js';
import type { ReceivedResponse, SentRequest, System } from './system.js';
import { toTypeScript } from './typescript.js';

interface Settings {
  readonly publicUrl: string;
  readonly redirectUrl: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
}

type Document = ApiDocument & { readonly 'x-example-ids': readonly MadeId[] };

/** The memory of one instance: after a new start with an empty database, none of it is there. */
interface Remembered {
  readonly instance: string;
  readonly ids: ReadonlyArray<readonly [string, string]>;
  readonly found: FoundByKind;
  readonly chosen?: Readonly<Record<string, string>>;
}

async function start(): Promise<void> {
  const [settings, text] = await Promise.all([
    fetch('/docs/settings.json').then((response) => response.json() as Promise<Settings>),
    fetch('/docs-json').then((response) => response.text()),
  ]);
  const { publicUrl, redirectUrl, clientId, scopes } = settings;
  if (location.origin !== publicUrl) {
    // The sign-in redirects to the public URL, and a window of another origin could not receive the result.
    location.replace(`${publicUrl}/docs${location.search}${location.hash}`);
    return;
  }
  const written = JSON.parse(text) as Document;
  const memory = new Memory<Remembered | undefined>(ofBrowser, 'docs', undefined);
  const earlier = memory.read();
  const isSame = earlier?.instance === written['x-instance'];
  const ids = new ExampleIds(written['x-example-ids'], isSame ? earlier.ids : []);
  const found = new FoundObjects(isSame ? earlier.found : {}, isSame ? earlier.chosen : {});
  const remember = (): void =>
    memory.write({ instance: written['x-instance'], ids: [...ids.known], found: found.all, chosen: found.choices });

  const document = ids.known.size === 0 ? written : (JSON.parse(ids.fill(text)) as Document);
  hideFormerNames(document);
  const org: OrgChoice = new OrgChoice(orgHeaderOf(document), () => refreshForms(ui, parts, true));
  const caller = new Caller(document, () => ({}));
  const linked = new LinkedForms();
  const parts = { document, ids: new ShownIds(ids, found), found, org, caller, linked };
  const sent = new Map<string, { readonly method: string; readonly body: unknown }>();
  const fillIn = linked.atStart(document);
  const ui: System & { initOAuth(options: object): void } = window.SwaggerUIBundle({
    // speedPlugin puts the list of operations in its place: Swagger UI copies its options.
    spec: { openapi: document.openapi },
    dom_id: '#docs',
    deepLinking: true,
    displayOperationId: true,
    displayRequestDuration: true,
    docExpansion: 'none',
    defaultModelsExpandDepth: -1,
    tryItOutEnabled: true,
    validatorUrl: null,
    oauth2RedirectUrl: redirectUrl,
    layout: 'DocsLayout',
    plugins: [
      layoutPlugin,
      speedPlugin(document),
      operationsPlugin,
      searchPlugin(document),
      guidancePlugin(document),
      signInPlugin(() => {
        found.forget();
        org.choose(undefined);
        memory.forget();
      }),
      orgPlugin(org, caller, found),
      formsPlugin(parts),
      answersPlugin(
        {
          nameOf: (id) => found.nameOf(id),
          isKnown: (id) => found.isKnown(id),
          use: (id) => {
            if (!found.use(id)) return;
            refreshForms(ui, parts);
            remember();
          },
        },
        document,
        (route, called) => ids.fill(toTypeScript(route, publicUrl, called)),
      ),
    ],
    requestInterceptor: (request: SentRequest) => {
      request.url = ids.fill(request.url);
      if (typeof request.body === 'string') request.body = ids.fill(request.body);
      for (const [name, value] of Object.entries(request.headers)) request.headers[name] = ids.fill(String(value));
      sent.set(request.url, { method: request.method ?? 'GET', body: request.body });
      return request;
    },
    responseInterceptor: (response: ReceivedResponse) => {
      const { pathname } = new URL(response.url, location.href);
      const { method, body } = sent.get(response.url) ?? { method: 'GET', body: undefined };
      if (!response.ok || !/^\/(admin|management|auth|v2)\//.test(pathname)) return response;
      found.learn(method.toLowerCase(), pathname, parse(body), response.body);
      ids.learn(method, pathname, response.body);
      refreshForms(ui, parts);
      remember();
      return withoutLargeObjects(response);
    },
  });
  caller.attach(() => ui.getSystem());
  fillIn(ui, parts);
  linked.listen(ui, parts);
  ui.initOAuth({ clientId, scopes, usePkceWithAuthorizationCodeGrant: true });
}

/**
 * Swagger UI keeps the text, and a copy of the object in which each value is an object of its own: seconds for 5 MB.
 */
function withoutLargeObjects(response: ReceivedResponse): ReceivedResponse {
  if ((response.text?.length ?? 0) <= MAX_SHOWN) return response;
  return Object.assign(response, { body: undefined, obj: undefined });
}

function parse(body: unknown): unknown {
  try {
    return typeof body === 'string' ? JSON.parse(body) : undefined;
  } catch {
    return undefined;
  }
}

/** Swagger UI has a dark style of its own, and leaves it to the page to ask for it. */
function followColorScheme(): void {
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const apply = (): void => void window.document.documentElement.classList.toggle('dark-mode', dark.matches);
  dark.addEventListener('change', apply);
  apply();
}

followColorScheme();
openDialogueAtTop();
void start();
