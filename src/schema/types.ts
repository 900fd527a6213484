import type { Row } from './columns.js'

/**
 * Row of a declaration: one property per column, as in `tableColumnsOf`. For an unknown declaration it is
 * any row.
 */
export type RowOf<R> = R extends { readonly fields: infer F }
  ? string extends keyof F
    ? Row
    : Rows<Column<F, ''> | (R extends { readonly internal: infer I } ? Column<I, ''> : never) | CommonColumn>
  : never

type Rows<C extends { name: string; value: unknown }> = { [K in C as K['name']]: K['value'] }

type CommonColumn =
  | { name: 'id' | 'created_at' | 'modified_at'; value: string }
  | { name: 'attrs' | 'deleted_at'; value: string | null }

/** Union with one member per column. */
type Column<F, P extends string> = F extends object
  ? { [K in keyof F & string]: ColumnOf<F[K], `${P}${K}`> }[keyof F & string]
  : never

type ColumnOf<F, N extends string> = F extends { readonly transient: true }
  ? never
  : F extends { readonly kind: 'group'; readonly fields: infer G }
    ? Column<G, `${N}__`>
    : F extends { readonly kind: 'one' | 'many' | 'alias' | 'constant' | 'derived' | 'address' }
      ? never
      : F extends { readonly kind: 'secret' }
        ? { name: N | `${N}_hash` | `${N}_mask`; value: string | null }
        : { name: N; value: ValueOf<F> }

type ValueOf<F> = F extends { readonly kind: 'one_of'; readonly values: readonly (infer V)[] }
  ? V | null
  : F extends { readonly kind: 'money' | 'number' | 'integer' | 'flag' }
    ? number | null
    : string | null

/**
 * Validated tree of attributes of any resource. All attributes are optional, and values are in stored form.
 */
export type Input = { [attribute: string]: unknown }

/** Whether a value is an object with attributes, not a list. */
export function isTree(value: unknown): value is Input {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Validated attributes of one declaration's fields. */
export type InputOf<F> = { [K in keyof F]?: InputValue<F[K]> }

/** Validated attributes of an object, as its declaration describes them. */
export type InputFor<R extends { readonly fields: unknown }> = InputOf<R['fields']> & { attrs?: unknown }

type InputValue<F> = F extends { readonly kind: 'group'; readonly fields: infer G }
  ? InputOf<G> | null
  : F extends { readonly kind: 'one' }
    ? Input | null
    : F extends { readonly kind: 'many' }
      ? Input[]
      : F extends { readonly kind: 'json' | 'rows' }
        ? unknown
        : ValueOf<F>

/** Answer of an operation: every attribute of these fields, with values in stored form. */
export type AnswerOf<F> = { readonly [K in keyof F]: AnswerValue<F[K]> }

type AnswerValue<F> = F extends { readonly kind: 'group'; readonly fields: infer G }
  ? AnswerOf<G> | null
  : F extends { readonly kind: 'rows'; readonly fields: infer G }
    ? readonly AnswerOf<G>[]
    : ValueOf<F>
