interface Sent {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A command for a shell that sends the same. The token is not in it: commands end up in tickets and chats. */
export function toCurl({ url, method = 'GET', headers = {}, body }: Sent): string {
  const lines = [`curl -X ${method.toUpperCase()} ${quote(url)}`];
  for (const [name, value] of Object.entries(headers)) {
    lines.push(
      name.toLowerCase() === 'authorization' ? '-H "Authorization: Bearer $TOKEN"' : `-H ${quote(`${name}: ${value}`)}`,
    );
  }
  if (typeof body === 'string' && body !== '') lines.push(`--data-raw ${quote(body)}`);
  else if (body !== undefined && body !== null && body !== '') lines.push("--data-binary '@file'");
  return lines.join(' \\\n  ');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
