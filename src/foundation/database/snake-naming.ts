import { DefaultNamingStrategy } from 'typeorm';

/** Tables and columns are snake_case in the database and camelCase in the code. */
export class SnakeNaming extends DefaultNamingStrategy {
  override tableName(className: string, customName: string | undefined): string {
    return customName ?? toSnake(className);
  }

  override columnName(propertyName: string, customName: string | undefined, prefixes: string[]): string {
    return toSnake([...prefixes, customName ?? propertyName].join('_'));
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

function toSnake(text: string): string {
  return text.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}
