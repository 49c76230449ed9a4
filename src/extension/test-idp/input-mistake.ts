/** What a test has asked for cannot be: its message says why. */
export class InputMistake extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InputMistake';
  }
}

export function inputMistake(message: string): InputMistake {
  return new InputMistake(message);
}
