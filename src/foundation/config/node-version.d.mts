/** Ends the process with the remedy when an older Node than the needed one runs it. */
export function checkNodeVersion(): void;
