import type { Call } from './call.js';
import type { Traits } from './known-operation.js';

type Values = Readonly<Record<string, unknown>>;

/** What fetch is given. @throws TypeError if the path lacks a value */
export function requestOf(
  { address, orgHeader, operation, input, organization, headers, body }: Call,
  token: string | undefined,
): { readonly url: string; readonly init: RequestInit } {
  const { method, path, traits } = operation;
  const rest: Record<string, unknown> = { ...input };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    // A dot segment would lead to another operation, also if it is encoded.
    if ((typeof value !== 'string' && typeof value !== 'number') || /^\.{0,2}$/.test(String(value)))
      throw new TypeError(`"${name}" must be a value for ${path}.`);
    return encodeURIComponent(value);
  });
  const isInQuery = method === 'GET' || (method === 'DELETE' && traits.sends === undefined);
  const query = isInQuery ? new URLSearchParams(pairsOf(rest)).toString() : '';
  // Forms and files name their type themselves.
  const isForm = body === undefined && (traits.sends === 'form' || traits.sends === 'file');
  const content = body ?? (isInQuery ? undefined : contentOf(rest, traits.sends));
  return {
    url: `${address}${filled}${query === '' ? '' : `?${query}`}`,
    init: {
      method,
      headers: {
        Accept: 'application/json, */*;q=0.5',
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(organization === undefined ? {} : { [orgHeader]: organization }),
        ...(content === undefined || isForm ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(content === undefined ? {} : { body: content }),
      ...(content instanceof ReadableStream ? { duplex: 'half' } : {}),
      // The token is the only credential, and it goes to no other address than the given one.
      credentials: 'omit',
      redirect: 'manual',
    },
  };
}

function contentOf(values: Values, sends: Traits['sends']): BodyInit {
  if (sends === undefined || sends === 'json') return JSON.stringify(values);
  if (sends === 'form') return new URLSearchParams(pairsOf(values));
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.append(name, value as Blob);
  return form;
}

/** Lists are repeated names; members of an object have its name and theirs: `query.limit`. */
function pairsOf(values: Values, prefix = ''): string[][] {
  return Object.entries(values).flatMap(([name, value]) => {
    if (value === undefined || value === null) return [];
    if (Array.isArray(value)) return value.map((one) => [prefix + name, text(one)]);
    if (isObject(value)) return pairsOf(value, `${prefix}${name}.`);
    return [[prefix + name, text(value)]];
  });
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
