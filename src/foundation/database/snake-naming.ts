import { DefaultNamingStrategy } from 'typeorm';
import { toSnakeCase } from './snake-case.js';

/** Tables and columns are snake_case in the database and camelCase in the code. */
export class SnakeNaming extends DefaultNamingStrategy {
  override tableName(className: string, customName: string | undefined): string {
    return customName ?? toSnakeCase(className);
  }

  override columnName(propertyName: string, customName: string | undefined, prefixes: string[]): string {
    return toSnakeCase([...prefixes, customName ?? propertyName].join('_'));
  }

  override primaryKeyName(table: string | { name: string }): string {
    return `${nameOf(table)}_pkey`;
  }

  override indexName(table: string | { name: string }, columns: string[]): string {
    return `${nameOf(table)}_${columns.join('_')}_idx`;
  }

  override uniqueConstraintName(table: string | { name: string }, columns: string[]): string {
    return `${nameOf(table)}_${columns.join('_')}_key`;
  }

  override foreignKeyName(table: string | { name: string }, columns: string[]): string {
    return `${nameOf(table)}_${columns.join('_')}_fkey`;
  }
}

function nameOf(table: string | { name: string }): string {
  const name = typeof table === 'string' ? table : table.name;
  return name.slice(name.lastIndexOf('.') + 1);
}
