/** The request to the supervisor, its only argument. */
export interface SupervisorOrder {
  /** Absolute. */
  readonly dataDir: string;
  readonly durable: boolean;
  readonly settings: Readonly<Record<string, string>>;
  readonly ownerPid: number;
}

/** Its answer, one line of JSON on standard output. */
export type SupervisorReport =
  | { readonly ready: { readonly host: string; readonly port: number; readonly version: string } }
  | { readonly failed: { readonly reason: string; readonly message: string } };
