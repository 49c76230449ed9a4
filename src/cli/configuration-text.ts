import { dump } from 'js-yaml';
import type { Configuration } from './configuration-file.js';

/** What a reader who sees such a file for the first time has to know. */
const HEAD = [
  'What this file names is as it says; what it does not name stays as it is. Delete what you do not want to keep here.',
  'An object that is null is removed; a policy of an organization that is null is taken back.',
  'Secrets stand elsewhere: env:NAME, or file:PATH beside this file.',
];

/** What the sections are about. */
const SECTIONS: Readonly<Record<string, string>> = {
  settings: 'Lifetimes of tokens, signing keys, languages.',
  mailServers: 'Mail servers, by their descriptions; one is active.',
  identityProviders: 'Where else people may sign in, by name. A login policy says which are offered.',
  policies: 'How people sign in, and what they see. An organization has only those that differ.',
  texts: 'Texts that differ from the built-in ones, by language.',
  webhooks: 'Who is told of events, by address.',
  managers: 'Who administers, by login name.',
  domains: 'Domains, which are proved by operations.',
  metadata: 'What applications keep about the organization.',
  projects: 'Projects with their roles, applications and grants to other organizations, by name.',
  groups: 'Groups and their roles. Who is in them is not said here.',
};

/** Below which depth sections are explained: those of the instance and of an organization. */
const INDENTS = [2, 4];

/**
 * The configuration as a file.
 * @param from where it was read
 * @param schema of the file, for editors
 */
export function toYaml(configuration: Configuration, from: string, schema: string | undefined): string {
  const body = dump(withReferences(configuration), { lineWidth: 140, noRefs: true });
  const explained = new Set<string>();
  const lines = body.split('\n').flatMap((line) => {
    const [, indent = '', word = ''] = /^( *)(\w+):/.exec(line) ?? [];
    const text =
      INDENTS.includes(indent.length) && !explained.has(word) && Object.hasOwn(SECTIONS, word)
        ? SECTIONS[word]
        : undefined;
    if (text === undefined) return [line];
    explained.add(word);
    return [`${indent}# ${text}`, line];
  });
  return [
    ...(schema === undefined ? [] : [`# yaml-language-server: $schema=${schema}`]),
    `# The configuration of ${from}.`,
    ...HEAD.map((line) => `# ${line}`),
    ...lines,
  ].join('\n');
}

/** `{ $from: NAME }` as a reader writes it. */
function withReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null) return value;
  if ('$from' in value) return `env:${String(value.$from)}`;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withReferences(one)]));
}
