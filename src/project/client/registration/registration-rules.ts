/** The limits that an initial access token sets to the applications that it registers. */
export interface RegistrationLimits {
  /** The hosts that redirect URIs may name; none for any. */
  readonly redirectHosts: readonly string[];
  readonly deviceCode: boolean;
}

/** The limits that stay with an application that has registered itself, for its own changes. */
export interface Registration extends RegistrationLimits {
  /** Raised to end its registration access token. */
  readonly version: number;
}
