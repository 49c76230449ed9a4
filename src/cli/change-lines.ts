import type { ConfigurationChange } from '../client/index.js';

const SIGNS = { ADD: '+', CHANGE: '~', REMOVE: '-' } as const;
const VERBS = { ADD: 'Add', CHANGE: 'Change', REMOVE: 'Remove' } as const;
/** Longer values are cut: a plan is to be read. */
const MAX_VALUE = 100;

type Action = keyof typeof SIGNS;

/** The changes as sentences, each with its fields and with what it does to people. */
export function changeLines(changes: readonly ConfigurationChange[]): string {
  return changes.map((change) => `${headOf(change)}${fieldsOf(change)}${effectsOf(change)}`).join('');
}

/** `2 to add, 1 to change, none to remove` */
export function summaryOf(changes: readonly ConfigurationChange[]): string {
  const count = (action: Action): number => changes.filter((change) => actionOf(change) === action).length;
  return `${count('ADD')} to add, ${count('CHANGE')} to change, ${count('REMOVE')} to remove`;
}

export function actionOf({ action }: ConfigurationChange): Action {
  return action.slice('CONFIGURATION_CHANGE_ACTION_'.length) as Action;
}

function headOf(change: ConfigurationChange): string {
  const action = actionOf(change);
  const [last, ...before] = [...change.path].reverse();
  // The label of a policy says what it is; that of an object needs its name.
  const isNamed = !change.label.replaceAll(/[ -]/g, '').toLowerCase().includes(last!.toLowerCase());
  const name = isNamed ? ` "${last!}"` : '';
  return `${SIGNS[action]} ${VERBS[action]} ${change.label}${name}${whereOf(before.reverse())}  (${change.operationId})\n`;
}

/** `, of project "Shop" of organization "Acme"` */
function whereOf(path: readonly string[]): string {
  const found: string[] = [];
  for (let at = 0; at < path.length; at += 1) {
    const word = path[at]!;
    const noun = Object.hasOwn(COLLECTIONS, word) ? COLLECTIONS[word] : undefined;
    const name = path[at + 1];
    if (noun === undefined || name === undefined) continue;
    found.push(`${noun} "${name}"`);
    at += 1;
  }
  if (found.length > 0) return ` of ${found.reverse().join(' of ')}`;
  return path.includes('instance') ? ' of the instance' : '';
}

const COLLECTIONS: Readonly<Record<string, string>> = {
  organizations: 'organization',
  projects: 'project',
  applications: 'application',
  grants: 'the grant to',
  groups: 'group',
};

function fieldsOf({ fields }: ConfigurationChange): string {
  return fields
    .map(
      ({ name, from, to }) => `    ${name}: ${from === '' ? '' : `${cut(from)} → `}${to === '' ? '(none)' : cut(to)}\n`,
    )
    .join('');
}

function effectsOf({ effects }: ConfigurationChange): string {
  return effects.map((effect) => `    ! ${effect}\n`).join('');
}

function cut(value: string): string {
  return value.length > MAX_VALUE ? `${value.slice(0, MAX_VALUE)}…` : value;
}
