import type { IncomingHttpHeaders } from 'node:http';

export interface Answered {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export function contradictionsOf(answered: Answered): string[];
