import type { OpenAPIObject } from '@nestjs/swagger';
import { SAME_AS, SUPERSEDED_BY } from '../admin/kit/operation.js';
import { SECTIONS } from '../admin/kit/tags.js';
import { findCurrent } from './current-values.js';
import { TASKS } from './tasks.js';

type PathItem = OpenAPIObject['paths'][string];
type Operation = NonNullable<PathItem['get']>;

/** The question that the page at /docs asks before it sends. */
export const CONFIRM = 'x-confirm';
/** The path where the page at /docs reads the values that an update would replace. */
export const CURRENT = 'x-current';

/** Besides those of DELETE, which all ask. */
const IRREVERSIBLE: Readonly<Record<string, string>> = {
  RegenerateOIDCClientSecret: 'The application cannot use its present secret any more.',
  RegenerateAPIClientSecret: 'The application cannot use its present secret any more.',
  GenerateMachineSecret: 'The service user cannot use a present secret any more.',
  DeactivateOrg: 'Nobody of the organization can sign in, and its tokens become invalid.',
  DeactivateOrganizationV2: 'Nobody of the organization can sign in, and its tokens become invalid.',
  DeactivateUser: 'The user is signed out everywhere, and their tokens become invalid.',
  DeactivateUserV2: 'The user is signed out everywhere, and their tokens become invalid.',
  LockUser: 'The user is signed out everywhere, and their tokens become invalid.',
  LockUserV2: 'The user is signed out everywhere, and their tokens become invalid.',
  DeactivateProject: 'Nobody can sign in to the applications of the project.',
  DeactivateProjectV2: 'Nobody can sign in to the applications of the project.',
  DeactivateApp: 'Nobody can sign in to the application.',
  DeactivateApplicationV2: 'Nobody can sign in to the application.',
  ActivateSigningKey: 'New tokens are signed with this key. Clients that have not fetched it refuse them.',
  ImportData: 'Everything in the document is written. With dryRun, nothing is.',
  BulkRemoveUserGrant: 'The users lose these roles.',
  SetSecurityPolicy:
    'With enableImpersonation, users with an impersonator role can act for others. Without, their tokens become invalid.',
};

/**
 * Adds what helps a reader on to the next operation. Other readers of the document show it as text.
 * @param tagsOfExtensions the groups that do not belong to the product
 */
export function addGuidance(document: OpenAPIObject, tagsOfExtensions: readonly string[] = []): void {
  const places = new Map<string, string>();
  for (const [operation] of operationsOf(document))
    places.set(
      operation.operationId ?? '',
      `#/${encodeURIComponent(operation.tags?.[0] ?? '')}/${operation.operationId}`,
    );
  const link = (id: string): string => {
    const place = places.get(id);
    if (place === undefined) throw new Error(`The documentation refers to ${id}, which is not an operation.`);
    return `[${id}](${place})`;
  };
  const next = followers();
  const second = secondGeneration(document);
  for (const [operation, method, path] of operationsOf(document)) {
    const id = operation.operationId ?? '';
    const superseding = (operation as { [SUPERSEDED_BY]?: string })[SUPERSEDED_BY];
    append(operation, superseding && `**Use ${link(superseding)} instead.**`);
    append(operation, second.has(id) && `The second generation of the API has ${link(second.get(id)!)} for this.`);
    append(operation, next.has(id) && `Next: ${[...next.get(id)!].map(link).join(', ')}`);
    const warning = IRREVERSIBLE[id] ?? (method === 'delete' ? 'This cannot be undone.' : undefined);
    if (warning !== undefined) Object.assign(operation, { [CONFIRM]: warning });
    const current = method === 'put' ? findCurrent(document, path, operation) : undefined;
    if (current) Object.assign(operation, { [CURRENT]: current });
  }
  document.info.description = [
    document.info.description,
    '## What do you want to do?',
    '<div>',
    ...TASKS.map(({ title, steps }) => {
      const list = steps.map(([id, what], index) => `${index + 1}. ${link(id)}: ${what}`);
      return `<details><summary>${title}</summary>\n\n${list.join('\n')}\n\n</details>`;
    }),
    '</div>',
  ].join('\n\n');
  // Groups of tags in the form that other viewers of OpenAPI documents know.
  const groups = Object.entries(SECTIONS).map(([name, tags]) => ({ name, tags: Object.keys(tags) }));
  if (tagsOfExtensions.length > 0) groups.push({ name: 'Extensions', tags: [...tagsOfExtensions] });
  const named = new Set(groups.flatMap(({ tags }) => tags));
  const others = (document.tags ?? []).map(({ name }) => name).filter((name) => !named.has(name));
  Object.assign(document, { 'x-tagGroups': [...groups, { name: 'Protocols', tags: others }] });
}

/** For operations of the first generation, the id of the one of the second that does the same. */
function secondGeneration(document: OpenAPIObject): Map<string, string> {
  return new Map(
    operationsOf(document).flatMap(([operation]) =>
      ((operation as { [SAME_AS]?: readonly string[] })[SAME_AS] ?? []).map(
        (first) => [first, operation.operationId ?? ''] as const,
      ),
    ),
  );
}

/** For each operation of a task, those that follow it. */
function followers(): Map<string, Set<string>> {
  const next = new Map<string, Set<string>>();
  for (const { steps } of TASKS) {
    steps.slice(1).forEach(([id], index) => {
      const before = steps[index]![0];
      if (!next.has(before)) next.set(before, new Set());
      next.get(before)!.add(id);
    });
  }
  return next;
}

function append(operation: Operation, text: string | false | undefined): void {
  if (text) operation.description = [operation.description, text].filter(Boolean).join('\n\n');
}

function operationsOf(document: OpenAPIObject): Array<[Operation, string, string]> {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    (['get', 'post', 'put', 'patch', 'delete'] as const).flatMap((method): Array<[Operation, string, string]> => {
      const operation = item[method];
      return operation ? [[operation, method, path]] : [];
    }),
  );
}
