import { join, relative } from 'node:path';
import { type INestApplication, Injectable } from '@nestjs/common';
import type { DocumentBuilder, OpenAPIObject } from '@nestjs/swagger';
import { AdminModule } from '../admin/admin.module.js';
import { ERROR_SCHEMA, SHARED_HEADERS } from '../admin/kit/operation.js';
import { TAGS } from '../admin/kit/tags.js';
import { declaredOperations } from '../admin/kit/wire/declared-operation.js';
import { applyDocumentation } from '../admin/kit/wire/documentation.js';
import { EXAMPLE } from '../admin/kit/wire/example-ids.js';
import { withWord } from '../admin/kit/wire/worded-path.js';
import { SecondGenerationModule } from '../admin/v2/second-generation.module.js';
import { FirstStartConfig, IssuerConfig } from '../foundation/config/config.js';
import { readVersion } from '../foundation/config/version.js';
import type { Extension } from '../foundation/extension/extension.js';
import { LoadedExtensions } from '../foundation/extension/extensions.module.js';
import { namesOfOthers } from '../foundation/http/wire-enum.js';
import { endpoints } from '../oidc/oidc.paths.js';
import { protocolDocument } from '../oidc/openapi/protocol.openapi.js';
import { Urn } from '../token/claims/urn.js';
import { Compressed } from './compressed.js';
import { describeOwn, type ExtDocument } from './ext-document.js';
import { addGuidance } from './guidance.js';
import { describeKinds } from './kind-settings.js';
import { findMadeIds, MADE_IDS } from './made-ids.js';
import { dropUnusedSchemas, placeRequests } from './request-places.js';
import { nameAnswers, plainReferences } from './schema-names.js';
import type { ApiDocument as DescribedApi } from './site/document.js';
import { StandingIds } from './standing-ids.js';
import { ALSO_SAID, TASKS } from './tasks.js';
import { orderFields, requireWritten } from './written-fields.js';

const DESCRIPTION = `The administrative API, and the endpoints of OpenID Connect and OAuth 2.0, also on one page [to read](/docs/reference), and as
[JSON](/docs-json) and [YAML](/docs-yaml). Press **Authorize** and sign in as a manager, or paste a personal access token.

Every operation has an example that can be sent unchanged. The IDs of the default organization, the first administrator and the
project of this service are real. The other IDs become real once you have created an object from its example: create a
project, and the other examples refer to that project. Until then, the response is 404.

Requests are read as ProtoJSON. A member that is \`null\` counts as not sent, in every request of the administrative API; entries of lists must not be
\`null\`. The schemas do not repeat that for each of their members: a generated client would have to distinguish two ways of sending nothing.
Members that are not known are ignored, except in filters. An update replaces what it is about: what it does not send is switched off or
emptied, unless its description says otherwise, but lists must be sent, and a member that looks like a misspelt one is refused.`;

/** Whether the service runs in development: only there is a token written (process/setup/first-run-files.ts). */
function inDevelopment(dataDir: string): string {
  const path = join(dataDir, 'admin.pat');
  const short = relative(process.cwd(), path);
  return `During development, a personal access token of an administrator is in \`${short.startsWith('..') ? path : short}\`.`;
}

/** The id of this instance, so that the page at /docs knows whose objects it remembers. */
const INSTANCE = 'x-instance';

/** The type names as the decorators of the administrative API write them (admin/operation.ts). */
const DOCUMENTED_TYPES = 'type.googleapis.com/service.v1.';
const DOCUMENTED_HEADER = 'x-service-orgid';

type Responses = NonNullable<OpenAPIObject['paths'][string]['get']>['responses'];

interface Shown {
  readonly ids: string;
  readonly json: Compressed;
  yaml?: Compressed;
  reference?: Compressed;
  search?: Compressed;
}

/** The OpenAPI 3 document of the whole API. Built on first request: most processes never need it. */
@Injectable()
export class ApiDocument {
  private app: INestApplication | undefined;
  private built: Promise<OpenAPIObject> | undefined;
  /** Large, and it hardly ever changes: cached as sent. */
  private shown: Shown | undefined;
  private showing: Promise<Shown> | undefined;

  constructor(
    private readonly issuer: IssuerConfig,
    private readonly firstStart: FirstStartConfig,
    private readonly urn: Urn,
    private readonly standingIds: StandingIds,
    private readonly loaded: LoadedExtensions,
  ) {}

  /** The application with the controllers to describe. */
  describe(app: INestApplication): void {
    this.app = app;
  }

  async get(): Promise<OpenAPIObject> {
    if (!this.app) throw new Error('The document was asked for before the application was there.');
    return (this.built ??= buildDocument(this.app, this.issuer, this.urn, this.firstStart, this.loaded.extensions));
  }

  /** The document as JSON, with the ids of this instance in its examples. */
  async asJson(): Promise<Compressed> {
    return (await this.show()).json;
  }

  /** Like `asJson`, in YAML. */
  async asYaml(): Promise<Compressed> {
    const { dump } = await import('js-yaml');
    const shown = await this.show();
    return (shown.yaml ??= new Compressed(dump(documentIn(shown.json), { noRefs: true, lineWidth: -1 })));
  }

  /** The document as a page to read. @param assets where its stylesheet is */
  async asReference(assets: string): Promise<Compressed> {
    const { renderReference } = await import('./reference-page.js');
    const shown = await this.show();
    return (shown.reference ??= new Compressed(renderReference(documentIn(shown.json), assets)));
  }

  /** The index for the search at /docs: made here once for each document, which extensions add to, not in browsers. */
  async asSearchIndex(): Promise<Compressed> {
    const { Search } = await import('./site/search.js');
    const shown = await this.show();
    const described = documentIn(shown.json) as unknown as DescribedApi;
    return (shown.search ??= new Compressed(Search.of(described, TASKS, ALSO_SAID).toJson()));
  }

  /** The document, which all who ask at the same time share: each would fill in the whole document otherwise. */
  private async show(): Promise<Shown> {
    return (this.showing ??= this.fillIn().finally(() => (this.showing = undefined)));
  }

  private async fillIn(): Promise<Shown> {
    // First what is asked of the database: answers that wait while the document is made would seem to be late.
    const standing = await this.standingIds.find();
    const document = await this.get();
    const ids = JSON.stringify([...standing]);
    if (this.shown?.ids === ids) return this.shown;
    const json = [...standing].reduce((text, [example, id]) => text.replaceAll(example, id), JSON.stringify(document));
    return (this.shown = { ids, json: new Compressed(json) });
  }
}

function documentIn(json: Compressed): OpenAPIObject {
  return JSON.parse(json.bytes.toString()) as OpenAPIObject;
}

/** `app` may be a preview, in which nothing runs. */
export async function buildDocument(
  app: INestApplication,
  issuer: IssuerConfig,
  urn: Urn,
  { development, dataDir }: FirstStartConfig,
  extensions: readonly Extension[] = [],
): Promise<OpenAPIObject> {
  const { publicUrl, urnWord } = issuer;
  const protocol = protocolDocument(publicUrl);
  const description = development ? `${DESCRIPTION}\n\n${inDevelopment(dataDir)}` : DESCRIPTION;
  const swagger = await applyDocumentation();
  const framed = frame(new swagger.DocumentBuilder(), issuer, urn, description);
  const admin = swagger.SwaggerModule.createDocument(app, framed, { include: [AdminModule, SecondGenerationModule] });
  const operations = declaredOperations();
  if (extensions.length > 0) describeKinds(admin, app, framed, swagger.SwaggerModule);
  requireWritten(admin, operations);
  orderFields(admin, operations);
  const own: ExtDocument[] = [];
  for (const extension of extensions)
    own.push(...[(await describeOwn(app, extension, framed, swagger.SwaggerModule)) ?? []].flat());
  const paths: OpenAPIObject['paths'] = Object.fromEntries(
    [admin, ...own].flatMap((part) => Object.entries(part.paths)),
  );
  const schemas: ExtDocument['schemas'] = Object.fromEntries(
    [admin.components?.schemas ?? {}, ...own.map((part) => part.schemas)].flatMap((part) => Object.entries(part)),
  );
  const document: OpenAPIObject = {
    ...admin,
    tags: [...(admin.tags ?? []), ...own.map(({ tag }) => tag), ...protocol.tags],
    paths: { ...withSecurity(paths, urn), ...protocol.paths },
    components: {
      ...admin.components,
      headers: SHARED_HEADERS,
      schemas: { ...schemas, ...protocol.schemas, [ERROR_SCHEMA]: ERROR },
    },
  };
  placeRequests(document);
  dropUnusedSchemas(document, [ERROR_SCHEMA, ...Object.keys(protocol.schemas)]);
  plainReferences(document);
  nameAnswers(document);
  Object.assign(document, { [MADE_IDS]: findMadeIds(document), [INSTANCE]: EXAMPLE.instance });
  addGuidance(
    document,
    own.map(({ tag }) => tag.name),
  );
  document.paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, item]) => [withWord(path, urnWord), item]),
  );
  const written = issuer.isOfAnotherVendor ? [...namesOfOthers()] : [];
  const text = written
    .reduce((json, [own, other]) => json.replaceAll(`"${own}"`, `"${other}"`), JSON.stringify(document))
    .replaceAll(DOCUMENTED_TYPES, `type.googleapis.com/${urnWord}.v1.`)
    .replaceAll(DOCUMENTED_HEADER, urn.orgHeader);
  return JSON.parse(text) as OpenAPIObject;
}

function frame(
  builder: DocumentBuilder,
  { publicUrl }: IssuerConfig,
  urn: Urn,
  description: string,
): Omit<OpenAPIObject, 'paths'> {
  for (const [name, description] of Object.entries(TAGS)) builder.addTag(name, description);
  return builder
    .setTitle('Gatehouse')
    .setDescription(description)
    .setVersion(readVersion())
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer(publicUrl)
    .addOAuth2(
      {
        type: 'oauth2',
        description: 'Sign in as a member with manager roles.',
        flows: {
          authorizationCode: {
            authorizationUrl: publicUrl + endpoints.authorization,
            tokenUrl: publicUrl + endpoints.token,
            scopes: { openid: 'Sign in.', [urn.systemAudience]: 'Use the administrative API.' },
          },
        },
      },
      'oauth2',
    )
    .addSecurity('token', {
      type: 'http',
      scheme: 'bearer',
      description: 'A personal access token, or any other access token.',
    })
    .addSecurity('client', {
      type: 'http',
      scheme: 'basic',
      description: 'Client ID and secret, each form-url-encoded (RFC 6749 §2.3.1).',
    })
    .build();
}

/** Documents the permission of each operation, and the credentials that it requires. */
function withSecurity(paths: OpenAPIObject['paths'], urn: Urn): OpenAPIObject['paths'] {
  for (const item of Object.values(paths)) {
    for (const operation of [item.get, item.post, item.put, item.patch, item.delete]) {
      const permission = operation && (operation as { 'x-permission'?: string })['x-permission'];
      if (operation && permission === undefined) operation.security ??= []; // open to everybody
      if (operation?.deprecated === true) announceDeprecation(operation.responses);
      if (!operation || permission === undefined) continue;
      operation.description = [operation.description, `Permission: ${sayPermission(permission, operation)}`]
        .filter(Boolean)
        .join('\n\n');
      operation.security = [{ oauth2: ['openid', urn.systemAudience] }, { token: [] }];
    }
  }
  return paths;
}

/** Every response of a deprecated operation has the header, also refusals (admin/kit/guard/admin.guard.ts). */
function announceDeprecation(responses: Responses): void {
  for (const response of Object.values(responses)) {
    if (!response || '$ref' in response) continue;
    response.headers = { ...response.headers, Deprecation: { $ref: '#/components/headers/Deprecation' } };
  }
}

function sayPermission(permission: string, operation: object): string {
  const { 'x-permission-reach': levels = [], 'x-permission-others': others = [] } = operation as {
    'x-permission-reach'?: readonly string[];
    'x-permission-others'?: readonly string[];
  };
  if (others.length > 0)
    return `${[permission, ...others].map((one) => `\`${one}\``).join(', ')}: the one for the kind of the object`;
  const over = levels.map((level) => level.replace('_', ' ')).join(' or ');
  return over === '' ? `\`${permission}\`` : `\`${permission}\`; a role on only the ${over} is sufficient`;
}

/** A refusal of every operation of the administrative API. */
const ERROR = {
  type: 'object',
  required: ['code', 'message', 'details'],
  properties: {
    code: { type: 'integer', format: 'int32', description: 'google.rpc.Code' },
    message: {
      type: 'string',
      description: 'What is wrong and what to do. Ends with the stable ID of the error in parentheses.',
    },
    details: {
      type: 'array',
      items: {
        type: 'object',
        required: ['@type'],
        properties: { '@type': { type: 'string' } },
        additionalProperties: true,
      },
    },
  },
};
