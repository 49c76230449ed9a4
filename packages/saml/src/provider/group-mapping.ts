/** A value of the provider, and the group of Gatehouse that it means. */
export interface MappedGroup {
  readonly value: string;
  readonly groupId: string;
}

/** A value may contain `=`, as distinguished names do; an id does not. */
const LINE = /^(.+)=([^=]{1,200})$/s;

export function isGroupLine(line: string): boolean {
  return LINE.test(line);
}

export function mappedGroups(lines: readonly string[]): MappedGroup[] {
  return lines.flatMap((line) => {
    const [, value, groupId] = LINE.exec(line) ?? [];
    return value === undefined || groupId === undefined ? [] : [{ value, groupId }];
  });
}
