import type { ApiDocument } from './document.js';
import type { FoundObjects } from './found-objects.js';
import { kindOfParameter } from './kinds.js';
import type { Component, Props, System, View } from './system.js';

/**
 * Below a body: what was made or found here, for each of its fields that is an id, and a file chooser for each that is
 * a file.
 */
export function withBodyOffers(
  { createElement: h, Fragment }: System['React'],
  Editor: unknown,
  found: FoundObjects,
  document: ApiDocument,
): Component {
  const files = namesOfBytes(document);
  return (props: Props): View => {
    const body = parseObject(props['value']);
    const change = props['onChange'] as (value: string) => void;
    const set = (name: string, value: string): void => {
      const now = Array.isArray(body[name]) ? [value] : value;
      change(JSON.stringify({ ...body, [name]: now }, undefined, 2));
    };
    const texts = Object.keys(body).filter((name) => typeof body[name] === 'string' || Array.isArray(body[name]));
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

/** Fields that hold a file, in base64. */
function namesOfBytes({ components: { schemas } }: ApiDocument): ReadonlySet<string> {
  const fields = Object.values(schemas).flatMap(({ properties = {} }) => Object.entries(properties));
  return new Set(fields.filter(([, one]) => (one as { format?: string }).format === 'byte').map(([name]) => name));
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
