/** How long the service waits for what others run. */
export class Timeouts {
  constructor(
    /** From asking for the address of a name to the last byte of an answer, in milliseconds. */
    readonly outboundMs = 10_000,
    /** For an operation of an extension, in milliseconds. */
    readonly extensionMs = 10_000,
  ) {}
}
