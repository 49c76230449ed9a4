/** How long the service waits for servers that others run. */
export class Timeouts {
  constructor(
    /** From asking for the address of a name to the last byte of an answer, in milliseconds. */
    readonly outboundMs = 10_000,
  ) {}
}
