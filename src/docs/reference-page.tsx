import type { OpenAPIObject } from '@nestjs/swagger';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}
type Content = Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>;
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema?: Schema;
}
interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description?: string; readonly content?: Content }>>;
  readonly 'x-former-name'?: boolean;
}
interface Entry extends Operation {
  readonly method: string;
  readonly path: string;
}
interface Section {
  readonly name: string;
  readonly tags: readonly string[];
}

const STYLESHEET = 'reference.css';

/**
 * The whole interface on one page without scripts: to read, to print, and to search with the browser, which finds
 * nothing in Swagger UI that is folded.
 * @param assets where the stylesheet is
 */
export function renderReference(document: OpenAPIObject, assets: string): string {
  const { info, components } = document;
  const entries = entriesOf(document);
  const sections = (document as { 'x-tagGroups'?: readonly Section[] })['x-tagGroups'] ?? [];
  const schemas = Object.entries((components?.schemas ?? {}) as Record<string, Schema>).sort(([one], [other]) =>
    one.localeCompare(other),
  );
  const inGroup = (tag: string): Entry[] => entries.filter(({ tags = [] }) => tags[0] === tag);
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${info.title} API reference`}</title>
        <link rel="icon" href="/ui/login/assets/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href={`${assets}/${STYLESHEET}`} />
      </head>
      <body>
        <header>
          <h1>{`${info.title} API reference`}</h1>
          <p>
            Version {info.version}, {entries.length} operations. To send requests, open <a href="/docs">the same API</a>{' '}
            in Swagger UI; programs read <a href="/docs-json">JSON</a> or <a href="/docs-yaml">YAML</a>.
          </p>
        </header>
        <nav aria-label="Groups">
          {sections.map(({ name, tags }) => (
            <section>
              <h2>{name}</h2>
              <ul>
                {tags.map((tag) => (
                  <li>
                    <a href={`#${idOf(tag)}`}>{tag}</a>
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </nav>
        <main>
          {sections
            .flatMap(({ tags }) => tags)
            .map((tag) => (
              <section id={idOf(tag)}>
                <h2>{tag}</h2>
                {inGroup(tag).map((entry) => (
                  <OperationArticle {...entry} />
                ))}
              </section>
            ))}
          <section id="schemas">
            <h2>Objects</h2>
            {schemas.map(([name, schema]) => (
              <article id={`object-${name}`}>
                <h3>{name}</h3>
                <Fields schema={schema} />
              </article>
            ))}
          </section>
        </main>
      </body>
    </html>
  );
  return `<!doctype html>${renderToString(page)}`;
}

function entriesOf({ paths }: OpenAPIObject): Entry[] {
  return Object.entries(paths as unknown as Record<string, Record<string, Operation>>).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => operation['x-former-name'] !== true)
      .map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
}

function idOf(tag: string): string {
  return `group-${tag.toLowerCase().replace(/\W+/g, '-')}`;
}

function OperationArticle(operation: Entry): VNode {
  const {
    operationId,
    method,
    path,
    summary,
    description,
    deprecated,
    parameters = [],
    requestBody,
    responses,
  } = operation;
  const body = requestBody && Object.entries(requestBody.content)[0];
  const answer = Object.values(responses['200']?.content ?? {})[0]?.schema;
  return (
    <article id={operationId}>
      <h3>
        {summary} {deprecated === true && <em>deprecated</em>}
      </h3>
      <p>
        <code>
          {method} {path}
        </code>{' '}
        <a href={`#${operationId}`}>{operationId}</a>
      </p>
      {description !== undefined && <Prose text={description} />}
      {parameters.length > 0 && (
        <table>
          <tbody>
            {parameters.map(({ name, in: place, description: said, schema }) => (
              <Row
                name={name}
                type={
                  <>
                    {place}, <Type schema={schema} />
                  </>
                }
                text={said}
              />
            ))}
          </tbody>
        </table>
      )}
      {body && (
        <div>
          <p>
            Body (<code>{body[0]}</code>): <Type schema={body[1].schema} />
          </p>
          {body[1].schema?.properties && <Fields schema={body[1].schema} />}
          {body[1].example !== undefined && <pre>{JSON.stringify(body[1].example, undefined, 2)}</pre>}
        </div>
      )}
      {answer && (
        <p>
          Response: <Type schema={answer} />
        </p>
      )}
      <Refusals responses={responses} />
    </article>
  );
}

function Refusals({ responses }: Pick<Operation, 'responses'>): VNode | null {
  const refused = Object.entries(responses).filter(([status]) => /^4/.test(status));
  if (refused.length === 0) return null;
  return (
    <dl>
      {refused.map(([status, { description = '' }]) => (
        <div>
          <dt>{status}</dt>
          <dd>
            <Prose text={description.replaceAll('&lt;', '<')} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Fields({ schema }: { readonly schema: Schema }): VNode {
  const { properties = {}, required = [], enum: values, description } = schema;
  return (
    <>
      {description !== undefined && <Prose text={description} />}
      {values && (
        <ul>
          {values.map((value) => (
            <li>
              <code>{value}</code>
            </li>
          ))}
        </ul>
      )}
      {Object.keys(properties).length > 0 && (
        <table>
          <tbody>
            {Object.entries(properties).map(([name, property]) => (
              <Row
                name={name}
                type={
                  <>
                    <Type schema={property} />
                    {required.includes(name) && ', always'}
                  </>
                }
                text={property.description}
              />
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

interface RowProps {
  readonly name: string;
  readonly type: VNode;
  readonly text: string | undefined;
}

function Row({ name, type, text }: RowProps): VNode {
  return (
    <tr>
      <th scope="row">
        <code>{name}</code>
      </th>
      <td>{type}</td>
      <td>{text !== undefined && <Prose text={text} />}</td>
    </tr>
  );
}

function Type({ schema }: { readonly schema: Schema | undefined }): VNode {
  const reference = (schema?.$ref ?? schema?.allOf?.[0]?.$ref)?.split('/').at(-1);
  if (reference !== undefined) return <a href={`#object-${reference}`}>{reference}</a>;
  if (schema?.type === 'array')
    return (
      <>
        list of <Type schema={schema.items} />
      </>
    );
  return <>{schema?.format ?? schema?.type ?? 'any'}</>;
}

/** What descriptions use of Markdown: code, strong words, and links, of which those to operations stay on this page. */
function Prose({ text }: { readonly text: string }): VNode {
  const pieces = text.split(/(`[^`]+`|\*\*[^*].*?\*\*|\[[^\]]+\]\([^)\s]+\))/u);
  return (
    <span class="prose">
      {pieces.map((piece) => {
        if (piece.startsWith('`') && piece.length > 1) return <code>{piece.slice(1, -1)}</code>;
        if (piece.startsWith('**'))
          return (
            <strong>
              <Prose text={piece.slice(2, -2)} />
            </strong>
          );
        const [, name, target = ''] = /^\[([^\]]+)\]\(([^)\s]+)\)$/u.exec(piece) ?? [];
        return name === undefined ? piece : <a href={target.replace(/^#\/.*\//, '#')}>{name}</a>;
      })}
    </span>
  );
}
