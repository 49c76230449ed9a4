export class HrSettings {
  company;
  /** The prefix of all cost centres. */
  constructor(company) {
    this.company = company;
  }
}
/** Reads HR_COMPANY, once at the start. What is wrong is reported together with all other settings. */
export function readSettings(env) {
  const company = env.text('HR_COMPANY') ?? 'ACME';
  if (!/^[\w-]{1,20}$/.test(company)) env.mistake(`HR_COMPANY is "${company}". Give up to 20 letters and digits.`);
  return new HrSettings(company);
}
