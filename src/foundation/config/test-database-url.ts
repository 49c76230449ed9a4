/** The server on which tests of extensions create their databases; undefined: an embedded one. */
export function testDatabaseUrl(): string | undefined {
  return process.env['DATABASE_URL'] || undefined;
}
