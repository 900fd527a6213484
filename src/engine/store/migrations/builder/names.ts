/** Every migration, in the order they are applied. A name that was released never changes. */
export const names = ['0001_first'] as const

export type MigrationName = (typeof names)[number]
