/**
 * Why a group cannot have the name, as the end of a sentence that begins with its field. Blanks at an end could not be
 * seen, and would make two groups that look alike.
 */
export function groupNameProblem(name: string): string | undefined {
  if (name.trim() === '') return 'must not be empty';
  return name === name.trim() ? undefined : 'must not begin or end with a blank';
}
