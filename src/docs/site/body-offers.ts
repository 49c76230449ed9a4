import { type FoundObjects, kindOfParameter } from './found-objects.js';
import type { Component, Props, System, View } from './system.js';

/**
 * Below a body: what was made or found here, for each of its fields that is an id, and a file chooser for each that is
 * a file.
 * @param files the names of the latter
 */
export function withBodyOffers(
  { createElement: h, Fragment }: System['React'],
  Editor: unknown,
  found: FoundObjects,
  files: ReadonlySet<string>,
): Component {
  return (props: Props): View => {
    const body = parseObject(props['value']);
    const change = props['onChange'] as (value: string) => void;
    const set = (name: string, value: string): void => change(JSON.stringify({ ...body, [name]: value }, undefined, 2));
    const texts = Object.keys(body).filter((name) => typeof body[name] === 'string');
    const offers = texts
      .map((name) => ({ name, known: found.of(kindOfParameter(name, '')) }))
      .filter(({ known }) => known.length > 0);
    return h(
      Fragment,
      null,
      h(Editor, props),
      offers.map(({ name, known }) =>
        h(
          'label',
          { key: name, className: 'docs-body-offers' },
          name,
          h(
            'select',
            { value: '', onChange: ({ target }: { target: HTMLSelectElement }) => set(name, target.value) },
            h('option', { value: '' }, 'Known here …'),
            known.map(({ id, name: called }) => h('option', { key: id, value: id }, called ? `${called} (${id})` : id)),
          ),
        ),
      ),
      texts
        .filter((name) => files.has(name))
        .map((name) =>
          h(
            'label',
            { key: name, className: 'docs-body-offers' },
            `${name} from a file`,
            h('input', {
              type: 'file',
              onChange: ({ target }: { target: HTMLInputElement }) => {
                const [file] = target.files ?? [];
                if (file) void toBase64(file).then((content) => set(name, content));
              },
            }),
          ),
        ),
    );
  };
}

async function toBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onerror = () => reject(new Error(`${file.name} cannot be read.`));
    // A data URL: what follows the comma is the content.
    reader.onload = () => resolve((reader.result as string).replace(/^[^,]*,/, ''));
    reader.readAsDataURL(file);
  });
}

function parseObject(text: unknown): Record<string, unknown> {
  try {
    const value: unknown = typeof text === 'string' ? JSON.parse(text) : undefined;
    return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
