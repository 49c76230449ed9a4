/** A span of time in whole seconds. Bare numbers elsewhere have their unit in their name. */
export const seconds = {
  perMinute: 60,
  perHour: 3600,
  perDay: 86_400,
} as const;

export function secondsAfter(moment: Date, spanSeconds: number): Date {
  return new Date(moment.getTime() + spanSeconds * 1000);
}

export function toUnixSeconds(moment: Date): number {
  return Math.floor(moment.getTime() / 1000);
}

export function fromUnixSeconds(unixSeconds: number): Date {
  return new Date(unixSeconds * 1000);
}
