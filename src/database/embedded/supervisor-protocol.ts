/** What the supervisor is asked for, as its only argument. */
export interface SupervisorOrder {
  /** Absolute. */
  readonly dataDir: string;
  readonly durable: boolean;
  readonly settings: Readonly<Record<string, string>>;
  readonly ownerPid: number;
}

/** What it answers, one line of JSON on its standard output. */
export type SupervisorReport =
  | { readonly ready: { readonly host: string; readonly port: number; readonly version: string } }
  | { readonly failed: { readonly reason: string; readonly message: string } };
