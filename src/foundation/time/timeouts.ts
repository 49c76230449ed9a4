/** The times that the service waits for what others run. */
export class Timeouts {
  constructor(
    /** The limit of a call, in milliseconds: from asking for the address of a name to the last byte of an answer. */
    readonly outboundMs = 10_000,
    /** The limit of an operation of an extension, in milliseconds. */
    readonly extensionMs = 10_000,
    /** The most that a call of any other part of an extension gets, in milliseconds: each has a limit of its own. */
    readonly partMs = Number.POSITIVE_INFINITY,
    /** The limit for a reader that takes nothing of its answer, in milliseconds. */
    readonly unreadMs = 25_000,
  ) {}
}
