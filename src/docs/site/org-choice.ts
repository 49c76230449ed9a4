import type { Caller } from './caller.js';
import type { FoundObjects } from './found-objects.js';
import { Memory, ofWindow } from './memory.js';
import type { Component, Plugin, PluginMaker, Props, View } from './system.js';

interface Chosen {
  readonly id: string;
  readonly name: string;
}

const MAX_SHOWN = 200;
const TYPING_MS = 300;

/** The organization in which the calls of this window act; without one, it is the caller's own. */
export class OrgChoice {
  private readonly kept = new Memory<Chosen | undefined>(ofWindow, 'organization', undefined);
  chosen: Chosen | undefined = this.kept.read();

  /** @param header its name; undefined if no operation takes one */
  constructor(
    readonly header: string | undefined,
    private readonly onChange: () => void,
  ) {}

  get id(): string | undefined {
    return this.chosen?.id;
  }

  choose(chosen: Chosen | undefined): void {
    this.chosen = chosen;
    if (chosen) this.kept.write(chosen);
    else this.kept.forget();
    this.onChange();
  }
}

/** Beside the button to sign in: in which organization one works, and loudly if it is not one's own. */
export function orgPlugin(choice: OrgChoice, caller: Caller, found: FoundObjects): PluginMaker {
  return ({ React }): Plugin => {
    const h = React.createElement;
    const OrgPicker: Component = (): View => {
      const [orgs, show] = React.useState<readonly Chosen[]>([]);
      const [total, count] = React.useState(0);
      const [name, search] = React.useState('');
      const [now, turn] = React.useState(choice.chosen);
      React.useEffect(() => {
        const read = async (): Promise<void> => {
          const list = await listOrgs(caller, name);
          found.learn('post', '/orgs/_search', undefined, { result: list.orgs });
          show(list.orgs);
          count(list.total);
        };
        const timer = setTimeout(() => void read(), name === '' ? 0 : TYPING_MS);
        const onSignIn = (): void => void read();
        window.addEventListener('docs:signed-in', onSignIn);
        return () => {
          clearTimeout(timer);
          window.removeEventListener('docs:signed-in', onSignIn);
        };
      }, [name]);
      const choose = (chosen: Chosen | undefined): void => {
        choice.choose(chosen);
        turn(chosen);
      };
      if (orgs.length === 0 && name === '' && !now) return null;
      const options = now && !orgs.some(({ id }) => id === now.id) ? [now, ...orgs] : orgs;
      return h(
        React.Fragment,
        null,
        now &&
          h(
            'div',
            { className: 'docs-banner', role: 'status' },
            h('span', null, 'You work in ', h('strong', null, now.name)),
            h('button', { type: 'button', onClick: () => choose(undefined) }, 'Back to my own organization'),
          ),
        h(
          'div',
          { className: 'docs-org' },
          total > MAX_SHOWN &&
            h('input', {
              type: 'search',
              'aria-label': 'Search organizations by name',
              placeholder: 'Name',
              value: name,
              onChange: ({ target }: { target: HTMLInputElement }) => search(target.value),
            }),
          h('label', { htmlFor: 'docs-org' }, 'Organization'),
          h(
            'select',
            {
              id: 'docs-org',
              value: now?.id ?? '',
              onChange: ({ target }: { target: HTMLSelectElement }) =>
                choose(options.find(({ id }) => id === target.value)),
            },
            h('option', { value: '' }, 'My own'),
            options.map(({ id, name: called }) => h('option', { key: id, value: id }, called)),
          ),
        ),
      );
    };
    return {
      wrapComponents: {
        AuthorizeBtnContainer:
          (Button): Component =>
          (props: Props): View =>
            h(React.Fragment, null, h(OrgPicker), h(Button, props)),
      },
    };
  };
}

interface Membership {
  readonly iam?: boolean;
  readonly orgId?: string;
  readonly displayName?: string;
}

interface OrgList {
  readonly orgs: readonly Chosen[];
  readonly total: number;
}

/** All organizations for a manager of the instance, for others those that they manage. */
async function listOrgs(caller: Caller, name: string): Promise<OrgList> {
  const own = (await caller.call('ListMyMemberships', {})) as { result: Membership[] } | undefined;
  const memberships = own?.result ?? [];
  if (memberships.some(({ iam }) => iam)) {
    const queries = name === '' ? [] : [{ nameQuery: { name, method: 'TEXT_QUERY_METHOD_CONTAINS_IGNORE_CASE' } }];
    const all = (await caller.call('ListOrgs', {
      query: { limit: MAX_SHOWN, asc: true },
      sortingColumn: 'ORG_FIELD_NAME_NAME',
      queries,
    })) as { result: Chosen[]; details: { totalResult: string } } | undefined;
    if (all) return { orgs: all.result.map(toChosen), total: Number(all.details.totalResult) };
  }
  const orgs = memberships.flatMap(({ orgId, displayName }) =>
    orgId ? [{ id: orgId, name: displayName || orgId }] : [],
  );
  return { orgs, total: orgs.length };
}

function toChosen({ id, name }: Chosen): Chosen {
  return { id, name };
}
