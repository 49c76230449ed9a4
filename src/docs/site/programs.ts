import type { React, View } from './system.js';

/** The texts of programs that do the same, by what they are written in. */
export type Programs = Readonly<Record<string, string>>;

interface Key {
  readonly key: string;
  readonly currentTarget: { readonly parentElement: HTMLElement | null };
}

/** The programs behind tabs, one of which is copied. */
export function programsView(React: React, { programs }: { readonly programs: Programs }): View {
  const { createElement: h, useState } = React;
  const names = Object.keys(programs);
  const [chosen, choose] = useState(names[0]!);
  const [copied, setCopied] = useState('');
  // Before an operation is called there may be fewer.
  const shown = names.includes(chosen) ? chosen : names[0]!;
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(programs[shown]!);
    setCopied(programs[shown]!);
  };
  const move = ({ key, currentTarget }: Key): void => {
    const step = { ArrowLeft: names.length - 1, ArrowRight: 1 }[key];
    if (step === undefined) return;
    const next = (names.indexOf(shown) + step) % names.length;
    choose(names[next]!);
    (currentTarget.parentElement?.children[next] as HTMLElement | undefined)?.focus();
  };
  const tab = (name: string): View =>
    h(
      'button',
      {
        key: name,
        type: 'button',
        role: 'tab',
        className: 'docs-tab',
        'aria-selected': name === shown,
        tabIndex: name === shown ? 0 : -1,
        onClick: () => choose(name),
        onKeyDown: move,
      },
      name,
    );
  const panel = (name: string): View =>
    h(
      'div',
      { key: name, role: 'tabpanel', 'aria-label': name, hidden: name !== shown },
      h('pre', { className: `${name === 'curl' ? 'curl ' : ''}microlight`, tabIndex: 0 }, programs[name]),
    );
  return h(
    'details',
    { className: 'docs-curl' },
    h('summary', null, 'The same from a program'),
    h('div', { role: 'tablist', 'aria-label': 'Written in' }, names.map(tab)),
    names.map(panel),
    h(
      'button',
      { type: 'button', className: 'btn', onClick: () => void copy() },
      copied === programs[shown] ? 'Copied' : 'Copy',
    ),
  );
}
