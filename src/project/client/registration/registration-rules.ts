/** What an initial access token allows to the applications that it registers. */
export interface RegistrationLimits {
  /** The hosts that redirect URIs may name; none for any. */
  readonly redirectHosts: readonly string[];
  readonly deviceCode: boolean;
}

/** What stays with an application that has registered itself: changes of its own obey the same limits. */
export interface Registration extends RegistrationLimits {
  /** Raised to end its registration access token. */
  readonly version: number;
}
